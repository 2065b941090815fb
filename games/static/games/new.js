// The new-table form: packs follow the number of seats, and one tap deals once.

const form = document.querySelector("form.new");
const seats = form.elements.seats;

function followSeats() {
  const count = Number(seats.value);
  if (count > 8) form.elements.packs.value = "2";
  if (count < 5) form.elements.packs.value = "1";
}

form.addEventListener("change", (event) => {
  if (event.target.matches("#by-hand .choices input")) form.querySelector("#preset-custom").checked = true;
  if (event.target === seats) followSeats();
  if (event.target.name === "preset" && event.target.value === "Big family" && Number(seats.value) < 5) seats.value = "6";
});

form.addEventListener("submit", (event) => {
  const button = event.submitter;
  setTimeout(() => (button.disabled = true));
});
window.addEventListener("pageshow", () => form.querySelectorAll("button").forEach((button) => (button.disabled = false)));
