import { posix } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

export type CoreState = Parameters<Parameters<MarkdownRenderer['core']['ruler']['push']>[1]>[0]
type Token = CoreState['tokens'][number]

/**
 * Links that leave docs/ lead to files of the repository, which the site does not have: their text
 * stays, with the path of the file as its title. Also aligns cells by class, not by style.
 */
export function keepToDocs({ tokens, env }: CoreState): void {
  const { relativePath = '' } = env as { relativePath?: string }
  const folder = posix.dirname(`docs/${relativePath}`)
  for (const token of tokens) {
    const style = token.attrGet('style')
    if (style?.startsWith('text-align:') === true) {
      token.attrs = token.attrs!.filter(([name]) => name !== 'style')
      token.attrJoin('class', style.replace('text-align:', 'align-'))
    }
    const children = token.children ?? []
    for (const [i, child] of children.entries()) {
      const path = child.type === 'link_open' ? outside(folder, child.attrGet('href')) : undefined
      if (path === undefined) continue
      child.tag = 'span'
      child.attrs = [
        ['class', 'repository-file'],
        ['title', `In the repository: ${path}`],
      ]
      closing(children, i).tag = 'span'
    }
  }
}

/** @returns the path from the root of the repository; undefined if the link stays in docs/ */
function outside(folder: string, href: string | null): string | undefined {
  if (href === null || /^(?:[a-z]+:|[/#])/.test(href)) return undefined
  const path = posix.join(folder, href.split('#', 1)[0]!)
  return path.startsWith('docs/') ? undefined : path
}

function closing(children: readonly Token[], from: number): Token {
  return children.find((token, i) => i > from && token.type === 'link_close')!
}
