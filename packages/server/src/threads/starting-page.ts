/**
 * The page that a browser shows while the service starts, instead of an error in JSON. It reloads
 * until another page answers. This file imports nothing, like the doorway.
 *
 * A script reloads the page, because for an address with a fragment, like that of the first run, a
 * `Refresh` header only jumps to the fragment. The header is sent too, in case the doorway closes
 * before it serves the script.
 */

/** Short enough not to wait for, long enough to read the page. */
const RELOAD_MS = 1_000
const REFRESH_SECONDS = 3

/** The files of the page, served only while the service starts. */
export const STARTING_FILES = {
  '/starting.css': {
    type: 'css',
    body: `body {
  display: grid;
  place-items: center;
  min-height: 100vh;
  margin: 0;
  font: 14px/1.5 system-ui, sans-serif;
  color: light-dark(#131918, #e6ecea);
  background: light-dark(#f6f8f7, #0d1111);
}
main { width: min(320px, 100vw - 48px) }
h1 { margin: 0 0 12px; font-size: 20px; font-weight: 600 }
p { margin: 8px 0 0; font-variant-numeric: tabular-nums }
progress { display: block; width: 100%; accent-color: light-dark(#0f6b62, #45c4b2) }
.hint { font-size: 12px; color: light-dark(#55615e, #98a5a1) }
`,
  },
  '/starting.js': { type: 'js', body: `setTimeout(() => location.reload(), ${RELOAD_MS})\n` },
} as const

export const STARTING_HEADERS: Readonly<Record<string, string>> = {
  refresh: String(REFRESH_SECONDS),
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'self'",
    'img-src data:',
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
}

interface Progress {
  readonly done: number
  readonly total: number
}

/** @param documents number of searchable documents; a total of 0: not counted yet */
export function startingPage(documents: Progress): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Aisle is starting</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/starting.css">
<script src="/starting.js" async></script>
<main>
<h1>Aisle is starting</h1>
${progressLines(documents)}
<p class="hint">This page opens automatically when the service is ready.</p>
</main>
</html>
`
}

function progressLines({ done, total }: Progress): string {
  if (total === 0) return '<progress aria-label="Starting"></progress>\n<p>Opening the stores.</p>'
  const [doneText, totalText] = [done, total].map((count) => count.toLocaleString('en'))
  return `<progress aria-label="Searchable products" max="${total}" value="${done}"></progress>
<p>${doneText} of ${totalText} products are searchable.</p>`
}
