// Runs before the first paint, so that a dark page never flashes white. A file of its own: the policy allows no inline script.
(() => {
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem("fairway.theme");
    } catch {
      // Storage may be closed to us; the system's choice then holds.
    }
    const dark = chosen === "dark" || (chosen !== "light" && systemDark.matches);
    document.documentElement.dataset.mantineColorScheme = dark ? "dark" : "light";
  };
  paint();
  systemDark.addEventListener("change", paint);

  // The application's own first file did not come: nothing else is there to say so.
  addEventListener(
    "error",
    ({ target }) => {
      const root = document.getElementById("root");
      if (!(target instanceof HTMLScriptElement) || !root || root.childElementCount > 0) return;
      const message = document.createElement("p");
      message.setAttribute("role", "alert");
      message.className = "load-failure";
      message.textContent = "This part of the application could not be loaded. Reload the page to try again.";
      root.append(message);
    },
    true,
  );
})();
