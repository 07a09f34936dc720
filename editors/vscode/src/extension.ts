// Starts `grounds lsp`, and leaves everything else to the server.

import { homedir } from "node:os";

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

// The languages of texts, and those whose functions get lenses.
const LANGUAGES = [
  "markdown", "mdx", "restructuredtext", "plaintext",
  "c", "cpp", "csharp", "dart", "elixir", "go", "java", "javascript", "javascriptreact", "kotlin",
  "lua", "php", "python", "ruby", "rust", "scala", "shellscript", "swift", "typescript",
  "typescriptreact", "zig",
];

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("grounds.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("grounds.path") || change.affectsConfiguration("grounds.arguments")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.dispose();
  client = undefined;
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration("grounds");
  const command = settings.get<string>("path", "grounds");
  const args = ["lsp", ...settings.get<string[]>("arguments", [])];
  // Not in the opened folder, which is the default: a program there must not be the one that is found.
  const server: ServerOptions = { command, args, options: { cwd: homedir() } };
  const options: LanguageClientOptions = {
    documentSelector: LANGUAGES.map((language) => ({ scheme: "file", language })),
  };
  const started = new LanguageClient("grounds", "grounds", server, options);
  client = started;
  try {
    await started.start();
  } catch (error) {
    client = undefined;
    const why = error instanceof Error ? error.message : String(error);
    const open = "Open the settings";
    const chosen = await vscode.window.showErrorMessage(
      `cannot start \`${command} lsp\`: ${why}; install grounds, or name it in the setting grounds.path`,
      open,
    );
    if (chosen === open) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "grounds.path");
    }
  }
}
