import { collectionFilter } from '@aisle/contract/collection-names'
import { Package, Trash2 } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link } from 'wouter'
import { fieldErrors } from '../../api/failure.ts'
import type { CollectionUse } from '../../parts/collection-uses.ts'
import { ChangedMeanwhile, type FieldView } from '../../parts/changed-meanwhile.tsx'
import { DeletedMeanwhile, isDeletedMeanwhile } from '../../parts/deleted-meanwhile.tsx'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'
import { FilterField } from '../../parts/filter-field.tsx'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useRefresh, useStore } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { LinkButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
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
  const change = useUrlChange()
  const refresh = useRefresh()
  const [given] = useUrlState('filter')
  const before: Draft =
    saved === undefined ? { name: '', filter_by: given } : { ...saved.value, name: saved.name }
  const editor = useEditor<Draft>(`collection/${storeId}/${before.name}${given}`, before)
  const [isDeleting, setDeleting] = useState(false)
  const { name: typed, ...value } = editor.value
  const name = typed.trim()
  const isNew = saved === undefined
  const isTaken = isNew && all.some((other) => other.name === name)
  const errors = fieldErrors(editor.error)
  const uses = isNew ? [] : (collections.uses.get(saved.name) ?? [])
  const set = (changes: Partial<Draft>): void => {
    const { title, description, ...others } = { ...editor.value, ...changes }
    editor.set({
      ...others,
      ...(title === undefined || title === '' ? {} : { title }),
      ...(description === undefined || description === '' ? {} : { description }),
    })
  }
  /** @param base absent: creates it */
  const saveOver = (base: CollectionValue | undefined): void =>
    editor.save({
      write: () => collections.save(name, value, base),
      after: () => change({ collection: name, new: undefined, filter: undefined }),
      done: () => 'Collection saved',
      undo: (written) => {
        if (saved !== undefined) return collections.save(name, saved.value, written)
        change({ collection: undefined })
        return collections.remove(name, written)
      },
    })
  return (
    <Page
      title={isNew ? 'New collection' : (saved.value.title ?? saved.name)}
      about="Products that match a filter. A change applies to the next search that names it."
      above={[{ label: 'Collections', to: storePath(storeId, 'collections') }]}
      actions={
        <>
          {!isNew && (
            <>
              <ActionMenu
                actions={[
                  {
                    label: 'Delete collection',
                    icon: Trash2,
                    isDangerous: true,
                    isDisabled: !mayEdit,
                    onAction: () => setDeleting(true),
                  },
                ]}
              />
              <LinkButton icon={Package} to={productsPath(storeId, saved.name)}>
                Show products
              </LinkButton>
            </>
          )}
          <EditorButtons
            editor={editor}
            label="Save collection"
            isDisabled={
              !mayEdit ||
              name === '' ||
              isTaken ||
              value.filter_by.trim() === '' ||
              !(isNew || editor.isChanged)
            }
            onSave={() => saveOver(saved?.value)}
          />
        </>
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      {isDeletedMeanwhile(editor.error) ? (
        <DeletedMeanwhile
          what="collection"
          isPending={editor.isPending}
          onCreate={() => saveOver(undefined)}
          onDiscard={() => {
            editor.discard()
            change({ collection: undefined })
            void refresh('collections')
          }}
        />
      ) : (
        editor.error !== null &&
        errors['filter_by'] === undefined &&
        errors['name'] === undefined && <ErrorNote error={editor.error} />
      )}
      <ChangedMeanwhile what="collection" draft={editor} view={VIEW} />
      <div className="collections-columns">
        <div className="stack-groups">
          <Section>
            {isNew && (
              <TextField
                label="Name"
                about="Letters, digits, spaces, dots, colons, hyphens and underscores. Filters refer to it, so it cannot be changed later."
                isMono
                maxLength={128}
                placeholder="summer-sale"
                value={typed}
                onChange={(next) => set({ name: next })}
                isDisabled={!mayEdit}
                error={isTaken ? 'This name is taken' : errors['name']}
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
          {!isNew && (
            <Section title="Used by">
              <Uses uses={uses} />
            </Section>
          )}
          <Section
            title="How to use it"
            about="In any filter: of searches, rules, presets, tokens."
          >
            <CodeBlock label="A search in the collection" samples={samples(name)} />
          </Section>
        </div>
        <CollectionProducts filterBy={value.filter_by} />
      </div>
      <ConfirmDialog
        title={`Delete “${before.title ?? before.name}”`}
        confirmLabel="Delete collection"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() =>
          editor.remove({
            write: () => collections.remove(saved!.name, saved!.value),
            after: () => change({ collection: undefined }),
            done: () => 'Collection deleted',
            undo: () => collections.save(saved!.name, saved!.value),
          })
        }
      >
        <Uses uses={uses} />
        <p>
          Products stay. Searches and presets that name it will fail, and rules that name it no
          longer apply.
        </p>
      </ConfirmDialog>
    </Page>
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
