import { collectionFilter } from '@aisle/contract/collection-names'
import { Package } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { fieldErrors } from '../../api/failure.ts'
import type { CollectionUse } from '../../parts/collection-uses.ts'
import type { FieldView } from '../../parts/changed-meanwhile.tsx'
import { useEditor } from '../../parts/editor.tsx'
import { FilterField } from '../../parts/filter-field.tsx'
import { NamedEditor, NameField } from '../../parts/named-editor.tsx'
import { useMay } from '../../session/session.ts'
import { storePath, useStore } from '../../session/store.ts'
import { useUrlState } from '../../state/url-state.ts'
import { LinkButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Section } from '../../ui/page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import {
  filterFault,
  type Collections,
  type CollectionValue,
  type NamedCollection,
} from './collection-data.ts'
import { CollectionProducts } from './collection-products.tsx'

interface Draft extends CollectionValue {
  readonly name: string
}

const VIEW: FieldView<Draft> = {
  of: ({ name: _, ...value }) => value,
  back: (fields, mine) => ({ ...(fields as unknown as CollectionValue), name: mine.name }),
  label: (name) => (name === 'filter_by' ? 'Filter' : name === 'title' ? 'Title' : 'Description'),
}

/** A collection: its name and filter, with its products beside it. */
export function CollectionEditor({
  saved,
  collections,
  all,
}: {
  readonly saved: NamedCollection | undefined
  readonly collections: Collections
  readonly all: readonly NamedCollection[]
}): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const [given] = useUrlState('filter')
  const before: Draft =
    saved === undefined ? { name: '', filter_by: given } : { ...saved.value, name: saved.name }
  const editor = useEditor<Draft>(`collection/${storeId}/${before.name}${given}`, before)
  const { name, ...value } = editor.value
  const errors = fieldErrors(editor.error)
  const uses = saved === undefined ? [] : (collections.uses.get(saved.name) ?? [])
  const others = all.map((other) => other.name)
  const set = (changes: Partial<Draft>): void => {
    const { title, description, ...rest } = { ...editor.value, ...changes }
    editor.set({
      ...rest,
      ...(title === undefined || title === '' ? {} : { title }),
      ...(description === undefined || description === '' ? {} : { description }),
    })
  }
  return (
    <NamedEditor
      kind="collection"
      title={saved === undefined ? 'New collection' : (saved.value.title ?? saved.name)}
      about="Products that match a filter. A change applies to the next search that names it."
      saved={saved}
      others={others}
      editor={editor}
      view={VIEW}
      name={name}
      value={value.filter_by.trim() === '' ? undefined : value}
      resources={collections}
      isFaultShown={errors['filter_by'] !== undefined || errors['name'] !== undefined}
      actions={
        <LinkButton icon={Package} to={productsPath(storeId, before.name)}>
          Show products
        </LinkButton>
      }
      atItsEnd={
        <>
          <Uses uses={uses} />
          <p>
            Products stay. Searches and presets that name it will fail, and rules that name it no
            longer apply.
          </p>
        </>
      }
    >
      <div className="collections-columns">
        <div className="stack-groups">
          <Section>
            {saved === undefined && (
              <NameField
                about="Filters refer to it, so it cannot be changed later."
                placeholder="summer-sale"
                value={name}
                onChange={(next) => set({ name: next })}
                others={others}
                error={errors['name']}
              />
            )}
            <TextField
              label="Title"
              about="What people read here. Optional."
              maxLength={200}
              placeholder="Summer sale"
              value={value.title ?? ''}
              onChange={(text) => set({ title: text })}
              isDisabled={!mayEdit}
            />
            <TextField
              label="Description"
              maxLength={1_000}
              value={value.description ?? ''}
              onChange={(text) => set({ description: text })}
              isDisabled={!mayEdit}
            />
            <div className="field">
              <span className="field-label" aria-hidden>
                Filter
              </span>
              <FilterField
                label="Filter"
                value={value.filter_by}
                onChange={(text) => set({ filter_by: text })}
                isDisabled={!mayEdit}
                hasCollections={false}
                error={filterFault(editor.error)}
              />
              <span className="field-about">
                For example brand:=Norrby &amp;&amp; price:&lt;50. Combine conditions with
                &amp;&amp; and ||.
              </span>
            </div>
          </Section>
          {saved !== undefined && (
            <Section title="Used by">
              <Uses uses={uses} />
            </Section>
          )}
          <Section
            title="How to use it"
            about="In any filter: of searches, rules, presets, tokens."
          >
            <CodeBlock label="A search in the collection" samples={samples(name.trim())} />
          </Section>
        </div>
        <CollectionProducts filterBy={value.filter_by} />
      </div>
    </NamedEditor>
  )
}

/** The rules and presets that name it. */
function Uses({ uses }: { readonly uses: readonly CollectionUse[] }): ReactNode {
  const { storeId } = useStore()
  if (uses.length === 0) {
    return (
      <p className="muted">
        No rule or preset names it. Pages of your shop and tokens may, which is not known here.
      </p>
    )
  }
  return (
    <ul className="stack gap-4">
      {uses.map(({ kind, name }) => (
        <li key={`${kind} ${name}`}>
          {kind === 'rule' ? 'Rule' : 'Preset'}{' '}
          <Link href={`${storePath(storeId, `${kind}s`)}?${kind}=${encodeURIComponent(name)}`}>
            <bdi>{name}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** The products screen with the collection as its filter. */
function productsPath(storeId: string, name: string): string {
  const clauses = JSON.stringify([['_collection', 'is', name]])
  return `${storePath(storeId, 'documents')}?filters=${encodeURIComponent(clauses)}`
}

function samples(name: string): { readonly label: string; readonly code: string }[] {
  const filter = collectionFilter(name === '' ? 'NAME' : name)
  const request = JSON.stringify({ q: '*', filter_by: filter })
  return [
    { label: 'Request', code: `POST /v1/search\n${request}` },
    { label: 'In a rule', code: JSON.stringify({ when: [{ filter_by: filter }] }) },
  ]
}
