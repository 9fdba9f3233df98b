// Runs before the first paint, so that a dark page does not flash white. A separate file because the Content-Security-Policy forbids inline scripts.
(() => {
  const systemDark = matchMedia("(prefers-color-scheme: dark)");
  const applyColorScheme = () => {
    let stored = null;
    try {
      stored = localStorage.getItem("fairway.theme");
    } catch {
      // Storage may be blocked. The system's color scheme applies then.
    }
    const isDark = stored === "dark" || (stored !== "light" && systemDark.matches);
    document.documentElement.dataset.mantineColorScheme = isDark ? "dark" : "light";
  };
  applyColorScheme();
  systemDark.addEventListener("change", applyColorScheme);

  // Reports a failure to load the entry script. Nothing else runs that could.
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
