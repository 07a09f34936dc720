// Looks at Visual Studio Code in a browser: findings in a document, lenses above functions, and the tools of the server of `.vscode/mcp.json`.
//
//   node .ci/vscode.js ADDRESS FOLDER CALLED      (.ci/vscode calls it)
//
// FOLDER gets a picture of each view. Code stays open until the file CALLED is there, which an extension writes when it has called a tool.
const { chromium } = require("playwright-core");
const fs = require("fs");
const [address, folder, called] = process.argv.slice(2);
const WAIT_MS_MAX = 120_000;

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  page.setDefaultTimeout(WAIT_MS_MAX);
  await page.goto(address, { timeout: WAIT_MS_MAX });
  await page.waitForSelector(".monaco-workbench .explorer-viewlet .monaco-list-row");

  const open = async (name) => {
    await page.keyboard.press("Control+P");
    await page.waitForSelector(".quick-input-widget input");
    await page.keyboard.type(name);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().click();
    await page.locator(".tab.active", { hasText: name }).waitFor();
  };
  const seen = async (view, selector, words) => {
    const found = page.locator(selector, { hasText: words }).first();
    await found.waitFor().catch(async (error) => {
      await page.screenshot({ path: `${folder}/${view}.png` });
      throw error;
    });
    await page.screenshot({ path: `${folder}/${view}.png` });
    console.log(`${view}: ${(await found.innerText()).replace(/\s+/g, " ").trim()}`);
  };

  await open("README.md");
  await page.keyboard.press("Control+Shift+M");
  await seen("problems", ".markers-panel .monaco-list-row", "there is no file `src/pages.rs`");
  await open("cache.rs");
  await seen("lenses", ".codelens-decoration", "called in 1 place");
  await open("mcp.json");
  await page.locator(".codelens-decoration a", { hasText: "Start" }).first().click();
  await seen("tools", ".codelens-decoration", "5 tools");
  for (const end = Date.now() + WAIT_MS_MAX; !fs.existsSync(called) && Date.now() < end; ) await page.waitForTimeout(500);
  await page.screenshot({ path: `${folder}/called.png` });
  await browser.close();
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
