// Whether the reader wants less motion: their system says so, or they have said so to us (R41).

const asked = matchMedia("(prefers-reduced-motion: reduce)");

export const still = () => asked.matches || "still" in document.documentElement.dataset;
