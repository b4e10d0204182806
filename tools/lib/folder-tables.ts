/** Folders of folders: each of their subfolders answers a different question. */
const DIVIDED = [
  'packages/engine/src/search',
  'packages/server/src/adapters',
  'packages/server/src/domain',
  'packages/server/src/ports',
  'packages/server/src/services',
]

const HEADING = /^\| ([\w-]+)((?:\/[\w-]+)*) folder \|.*\|\n\|---\|---\|\n((?:\|.*\|\n)+)/gm

/**
 * The folders in the tables of ARCHITECTURE.md. The heading `engine folder` says that the rows are
 * folders of `packages/engine/src`; `server/domain folder`, of `packages/server/src/domain`. A row
 * may name several.
 */
export function foldersInTables(page: string): string[] {
  return [...page.matchAll(HEADING)].flatMap(([, packageName, below, rows = '']) =>
    rows
      .trimEnd()
      .split('\n')
      .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
      .map(([, folder]) => `packages/${packageName}/src${below}/${folder}`),
  )
}

/**
 * The folders that need a row: those of each `packages/NAME/src`, and those of its divided folders.
 */
export function foldersInTree(paths: readonly string[]): string[] {
  const folders = paths.flatMap((path) => {
    const parts = path.split('/')
    const [root, , source] = parts
    if (root !== 'packages' || source !== 'src') return []
    const upper = parts.slice(0, 4).join('/')
    const first = parts.length > 4 ? [upper] : []
    return parts.length > 5 && DIVIDED.includes(upper)
      ? [...first, parts.slice(0, 5).join('/')]
      : first
  })
  return [...new Set(folders)].toSorted()
}
