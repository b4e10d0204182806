import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DefaultTheme } from 'vitepress'

/** Folders whose pages are listed by name, below the subjects of README.md. */
const FOLDERS = { formats: 'Formats on disk', decisions: 'Decisions' } as const

/** Every page by subject: the headings and lists of README.md, then the folders. */
export function sidebar(docs: string): DefaultTheme.SidebarItem[] {
  const home = readFileSync(join(docs, 'README.md'), 'utf8')
  const subjects = home.split(/^## /m).slice(1)
  return [
    ...subjects.map((subject) => ({
      text: subject.split('\n', 1)[0]!,
      items: [...subject.matchAll(/^- \[([^\]]+)\]\(([\w/-]+)\.md\)/gm)].map(([, text, page]) => ({
        text: text!,
        link: `/${page}`,
      })),
    })),
    ...Object.entries(FOLDERS).map(([folder, text]) => ({
      text,
      collapsed: true,
      items: readdirSync(join(docs, folder))
        .filter((name) => name.endsWith('.md'))
        .toSorted()
        .map((name) => ({
          text: titleOf(join(docs, folder, name)),
          link: `/${folder}/${name.slice(0, -'.md'.length)}`,
        })),
    })),
  ]
}

function titleOf(path: string): string {
  return /^# (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? ''
}
