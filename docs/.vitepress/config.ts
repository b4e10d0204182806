import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { PAGE_BUILD } from '../../packages/dashboard/build/page-build.ts'
import { CODE_THEME, codeClasses } from './code-theme.ts'
import { keepToDocs } from './links.ts'
import { sidebar } from './sidebar.ts'
import { SectionCollector } from './sections.ts'

/**
 * The site of these pages, which the service has at `/docs`. Its policy allows no inline script or
 * style and no other host, so nothing here makes one.
 */
const DOCS = join(import.meta.dirname, '..')
/** Before the first paint: the theme that was chosen in the dashboard. */
const THEME_SCRIPT = readFileSync(join(DOCS, '../packages/dashboard/build/theme.js'), 'utf8')
const THEME_FILE = `assets/theme.${createHash('sha256').update(THEME_SCRIPT).digest('hex').slice(0, 8)}.js`
/** Languages of code blocks that no grammar is for. */
const PLAIN = ['filter', 'filters', 'sort']

const { target, cssTarget } = PAGE_BUILD
const sections = new SectionCollector()

export default defineConfig({
  title: 'Aisle docs',
  titleTemplate: ':title · Aisle docs',
  description: 'Documentation of Aisle, a self-hosted search service for catalogs.',
  base: '/docs/',
  cleanUrls: true,
  rewrites: { 'README.md': 'index.md' },
  appearance: false,
  // tools/tidy.test.ts checks links; a wrong one is no reason not to start.
  ignoreDeadLinks: true,
  head: [['script', { src: `/docs/${THEME_FILE}` }]],
  markdown: {
    theme: CODE_THEME,
    codeTransformers: [codeClasses],
    languageAlias: Object.fromEntries(PLAIN.map((name) => [name, 'txt'])),
    config(md) {
      md.core.ruler.push('keep to docs', keepToDocs)
      md.core.ruler.push('collect sections', (state) => sections.collect(state))
    },
  },
  vite: { logLevel: 'warn', build: { target, cssTarget, chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    siteTitle: 'Aisle',
    sidebar: sidebar(DOCS),
    nav: [{ text: 'API reference', link: '/api', target: '_self' }],
    outline: [2, 3],
    docFooter: { prev: 'Previous', next: 'Next' },
  },
  transformHtml: (html) =>
    html
      .replaceAll(/<script id="check-mac-os">[^]*?<\/script>/g, '')
      .replaceAll(/(<[a-z][^<>]*?) style="[^"]*"/g, '$1'),
  buildEnd({ outDir }) {
    mkdirSync(join(outDir, 'assets'), { recursive: true })
    writeFileSync(join(outDir, THEME_FILE), THEME_SCRIPT)
    writeFileSync(join(outDir, 'sections.json'), JSON.stringify(sections.all()))
  },
})
