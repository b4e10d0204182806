import { h } from 'vue'
import type { Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { SearchBox } from './search-box.ts'
import './theme.css'
import './search-box.css'

export default {
  extends: DefaultTheme,
  Layout: () =>
    h(DefaultTheme.Layout, undefined, {
      'nav-bar-content-before': () => h(SearchBox),
      'nav-bar-content-after': () => h('a', { href: '/', class: 'to-dashboard' }, 'Dashboard'),
    }),
} satisfies Theme
