import { defineComponent, h, onMounted } from 'vue'
import { inBrowser, useRouter, type Theme } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { SearchBox } from './search-box.ts'
import './theme.css'
import './search-box.css'

const Layout = defineComponent({
  name: 'DocsLayout',
  setup() {
    const router = useRouter()
    onMounted(() => {
      delete router.onBeforeRouteChange
    })
    return () =>
      h(DefaultTheme.Layout, undefined, {
        'nav-bar-content-before': () => h(SearchBox),
        'nav-bar-content-after': () => h('a', { href: '/', class: 'to-dashboard' }, 'Dashboard'),
      })
  },
})

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ router }) {
    // A link clicked before the scripts have taken over the page is opened by the browser: what is
    // taken over has to be the page that was sent.
    router.onBeforeRouteChange = (href) => {
      if (!inBrowser || new URL(href, location.href).pathname === location.pathname) return true
      location.assign(href)
      return false
    }
  },
} satisfies Theme
