// The link of a table: copied, or passed on by the phone's own sheet, where the browser can.
const link = document.getElementById("link");
const copy = document.getElementById("copy");
const share = document.getElementById("share");
const copied = document.getElementById("copied");

if (link && navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(link.value);
      copied.textContent = copy.textContent = "Copied";
    } catch {
      link.select();
    }
  });
}
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener("click", () => {
    const { title, text, url } = share.dataset;
    // Closing the sheet is no fault.
    navigator.share({ title, text, url }).catch(() => {});
  });
}
