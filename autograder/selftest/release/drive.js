STORED = SOLUTION;
const $ = (id) => document.getElementById(id);
const find = async (what) => what() ?? (await new Promise((go) => setTimeout(go, 200)), find(what));
addEventListener("load", async () => {
    await find(() => $("python").textContent === "Python is ready." || null);
    $("chosen").value = "1";
    $("go").click();
    fetch("?" + (await find(() => /^score: (\S+)/.exec($("status").textContent)?.[1])));
});
