import type { MarkdownOptions } from 'vitepress'

/**
 * Colours of code, by class instead of by style: `theme/theme.css` has them for light and dark. The
 * highlighter wants colours, so each class has a placeholder.
 */
const CLASSES: Readonly<Record<string, { readonly name: string; readonly scopes: string[] }>> = {
  '#000001': { name: 'code-comment', scopes: ['comment', 'punctuation.definition.comment'] },
  '#000002': { name: 'code-string', scopes: ['string', 'punctuation.definition.string'] },
  '#000003': {
    name: 'code-constant',
    scopes: ['constant', 'variable.language', 'support.constant'],
  },
  '#000004': { name: 'code-keyword', scopes: ['keyword', 'storage', 'entity.name.tag'] },
  '#000005': {
    name: 'code-name',
    scopes: ['entity.name.function', 'support.type.property-name', 'variable.other.object'],
  },
}

export const CODE_THEME = {
  name: 'aisle',
  type: 'light',
  fg: '#000000',
  bg: '#ffffff',
  settings: Object.entries(CLASSES).map(([foreground, { scopes }]) => ({
    scope: scopes,
    settings: { foreground },
  })),
} satisfies MarkdownOptions['theme']

type Transformer = NonNullable<MarkdownOptions['codeTransformers']>[number]

export const codeClasses: Transformer = {
  name: 'classes instead of styles',
  pre(node) {
    delete node.properties['style']
  },
  span(node) {
    const style = String(node.properties['style'] ?? '')
    const color = /color:(#\d{6})/.exec(style)?.[1] ?? ''
    delete node.properties['style']
    const known = CLASSES[color]
    if (known !== undefined) node.properties['class'] = known.name
  },
}
