import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";
import svelteConfig from "./svelte.config.js";

export default ts.config(
  { ignores: ["dist/", "node_modules/"] },
  js.configs.recommended,
  ...ts.configs.strictTypeChecked,
  ...svelte.configs.recommended,
  ...svelte.configs.prettier,
  {
    languageOptions: {
      globals: globals.browser,
      parserOptions: { projectService: true, extraFileExtensions: [".svelte"] },
    },
    rules: {
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      // Maps that no view reads need not be reactive.
      "svelte/prefer-svelte-reactivity": "off",
      // The backend is reached through the state alone; see the second rule below.
      "no-restricted-globals": ["error", "localStorage", "confirm", "alert"],
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // The linter does not see the types of functions that are written in a template; svelte-check does.
    files: ["**/*.svelte"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    // What they show is sanitised or escaped by lib/markdown and highlight.js.
    files: ["**/BlockView.svelte", "**/CodeBlock.svelte"],
    rules: { "svelte/no-at-html-tags": "off" },
  },
  {
    files: ["src/features/**", "src/kit/**"],
    rules: {
      "no-restricted-imports": ["error", { patterns: ["**/backend/*"] }],
      "no-restricted-globals": ["error", "fetch", "localStorage", "confirm", "alert"],
    },
  },
  {
    files: ["**/*.test.ts"],
    rules: { "no-restricted-imports": "off", "@typescript-eslint/no-deprecated": "off" },
  },
  { files: ["*.js"], ...ts.configs.disableTypeChecked },
);
