import { useRouter, withBase } from 'vitepress'
import { defineComponent, h, onBeforeUnmount, onMounted, ref, type VNode } from 'vue'
import { searchDocs, type FoundSection, type FoundSections } from './search-docs.ts'

const LIST_ID = 'docs-search-list'

/**
 * The search of the docs: a combobox (ARIA Authoring Practices) over the sections of the pages.
 * `/` or Ctrl K focuses it; arrow keys, Enter and Escape do what they do in any list.
 */
export const SearchBox = defineComponent({
  name: 'SearchBox',
  setup() {
    const router = useRouter()
    const input = ref<HTMLInputElement>()
    const query = ref('')
    const found = ref<FoundSections>()
    const isOpen = ref(false)
    const active = ref(0)
    let request = new AbortController()

    const search = async (): Promise<void> => {
      request.abort()
      request = new AbortController()
      const { signal } = request
      if (query.value.trim() === '') {
        found.value = undefined
        return
      }
      try {
        const answer = await searchDocs(query.value, signal)
        if (signal.aborted) return
        found.value = answer
        active.value = 0
      } catch (error) {
        if (!signal.aborted) found.value = { hits: [], problem: (error as Error).message }
      }
    }
    const go = (hit: FoundSection): void => {
      isOpen.value = false
      input.value?.blur()
      void router.go(withBase(hit.path))
    }
    const move = (step: number): void => {
      const count = found.value?.hits.length ?? 0
      if (count === 0) return
      active.value = (active.value + step + count) % count
      document.getElementById(optionId(active.value))?.scrollIntoView({ block: 'nearest' })
    }
    const onKey = (event: KeyboardEvent): void => {
      const hit = found.value?.hits[active.value]
      if (event.key === 'ArrowDown') move(1)
      else if (event.key === 'ArrowUp') move(-1)
      else if (event.key === 'Enter' && hit !== undefined) go(hit)
      else if (event.key === 'Escape') isOpen.value = false
      else return
      event.preventDefault()
    }
    const onAnyKey = (event: KeyboardEvent): void => {
      const isInField = event.target instanceof HTMLInputElement
      const isShortcut =
        event.key === '/' ? !isInField : event.key === 'k' && (event.ctrlKey || event.metaKey)
      if (!isShortcut) return
      event.preventDefault()
      input.value?.focus()
      input.value?.select()
    }
    onMounted(() => addEventListener('keydown', onAnyKey))
    onBeforeUnmount(() => removeEventListener('keydown', onAnyKey))

    return (): VNode => {
      const isShown = isOpen.value && found.value !== undefined
      return h('div', { class: 'docs-search', role: 'search' }, [
        h('input', {
          ref: input,
          type: 'search',
          role: 'combobox',
          'aria-label': 'Search the docs',
          'aria-expanded': isShown,
          'aria-controls': LIST_ID,
          'aria-autocomplete': 'list',
          'aria-activedescendant':
            isShown && found.value!.hits.length > 0 ? optionId(active.value) : undefined,
          placeholder: 'Search the docs',
          autocomplete: 'off',
          spellcheck: false,
          maxlength: 200,
          value: query.value,
          onInput: (event: Event) => {
            query.value = (event.target as HTMLInputElement).value
            isOpen.value = true
            void search()
          },
          onFocus: () => (isOpen.value = true),
          onBlur: () => (isOpen.value = false),
          onKeydown: onKey,
        }),
        isShown ? drawFound(found.value!, query.value, active.value, go) : undefined,
      ])
    }
  },
})

function drawFound(
  { hits, corrected, problem }: FoundSections,
  query: string,
  active: number,
  go: (hit: FoundSection) => void,
): VNode {
  const status =
    problem ??
    (hits.length === 0
      ? `No results for “${query.trim()}”`
      : corrected === undefined
        ? undefined
        : `Results for “${corrected}”`)
  return h('div', { class: 'docs-search-panel' }, [
    status === undefined
      ? undefined
      : h('p', { class: 'docs-search-status', role: 'status' }, status),
    h(
      'ul',
      { id: LIST_ID, role: 'listbox', 'aria-label': 'Results' },
      hits.map((hit, i) =>
        h(
          'li',
          {
            id: optionId(i),
            key: hit.path,
            role: 'option',
            'aria-selected': i === active,
            // Before the field loses the focus, which would close the list.
            onMousedown: (event: MouseEvent) => event.preventDefault(),
            onClick: () => go(hit),
          },
          [
            // The service has escaped everything but its marks.
            h('span', { class: 'docs-search-title' }, [
              h('span', { innerHTML: hit.title }),
              hit.heading === undefined ? undefined : h('span', { innerHTML: ` › ${hit.heading}` }),
            ]),
            h('span', { class: 'docs-search-text', innerHTML: hit.text }),
          ],
        ),
      ),
    ),
  ])
}

function optionId(index: number): string {
  return `docs-search-option-${index}`
}
