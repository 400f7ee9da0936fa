// One button for each recorded proof opens or closes the goals of all its steps.
document.addEventListener("click", (event) => {
  if (!event.target.matches(".gl-all")) return;
  const folds = [...event.target.closest(".goals").querySelectorAll("details")];
  const open = folds.some((fold) => !fold.open);
  folds.forEach((fold) => { fold.open = open; });
  event.target.textContent = open ? "close all steps" : "open all steps";
});
