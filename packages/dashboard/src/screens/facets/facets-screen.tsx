import type { FacetDisplay, StoreSchema, StoreSettings } from '@aisle/contract'
import { ListChecks } from 'lucide-react'
import type { ReactNode } from 'react'
import { ChangedMeanwhile, type FieldView } from '../../parts/changed-meanwhile.tsx'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'
import { displayPatch, facetNames } from '../../parts/facet-arrangement.ts'
import { FacetArranger } from '../../parts/facet-arranger.tsx'
import { useFacetCounts } from '../../parts/facet-counts.ts'
import {
  isChangedMeanwhile,
  overSettings,
  useSchema,
  useSettings,
} from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useRefresh, useStore } from '../../session/store.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { EmptyState, ErrorNote, ErrorState, Note, Skeleton } from '../../ui/states.tsx'
import { FacetPreview } from './facet-preview.tsx'
import './facets.css'

const ABOUT =
  'The order of the filters in your shop, and of their values. Searches return it as facet_display; counts do not change.'

/** The facets of the store in an order that people change, and what visitors see beside it. */
export function FacetsScreen(): ReactNode {
  const { storeId } = useStore()
  const schema = useSchema()
  const settings = useSettings()
  const error = schema.error ?? settings.error
  if (schema.data !== undefined && settings.data !== undefined) {
    const names = facetNames(schema.data, settings.data.omit_fields)
    if (names.length > 0) {
      return <Facets schema={schema.data} settings={settings.data} names={names} />
    }
  }
  return (
    <Page title="Facets" about={ABOUT}>
      {error !== null ? (
        <ErrorState
          error={error}
          onRetry={() => void Promise.all([schema.refetch(), settings.refetch()])}
        />
      ) : schema.data === undefined || settings.data === undefined ? (
        <Skeleton height={480} />
      ) : (
        <EmptyState
          icon={ListChecks}
          title="No facets yet"
          action={<LinkButton to={storePath(storeId, 'schema')}>Open schema</LinkButton>}
        >
          Give a field the role “facet”, such as brand or size, and visitors can filter by it.
        </EmptyState>
      )}
    </Page>
  )
}

const VIEW: FieldView<FacetDisplay> = {
  of: ({ order, hide, facets = {} }) => ({ order, hide, ...facets }),
  back: ({ order, hide, ...facets }) => {
    const kept = Object.entries(facets).filter(([, values]) => values !== undefined)
    return {
      ...(order === undefined ? {} : { order: order as string[] }),
      ...(hide === undefined ? {} : { hide: hide as string[] }),
      ...(kept.length === 0
        ? {}
        : { facets: Object.fromEntries(kept) as NonNullable<FacetDisplay['facets']> }),
    }
  },
  label: (name) =>
    name === 'order' ? 'Order of facets' : name === 'hide' ? 'Hidden facets' : `Values of ${name}`,
}

function Facets({
  schema,
  settings,
  names,
}: {
  readonly schema: StoreSchema
  readonly settings: StoreSettings
  readonly names: readonly string[]
}): ReactNode {
  const { storeId, calls } = useStore()
  const mayEdit = useMay('editor')
  const readAgain = useRefresh()
  const saved = settings.facet_display ?? {}
  const editor = useEditor<FacetDisplay>(`facet-display/${storeId}`, saved)
  const counts = useFacetCounts('')
  const refresh = () => readAgain('settings', 'search')
  const save = (): void => {
    const before = settings.version
    editor.save({
      write: async () => {
        try {
          return await overSettings(calls, settings, (etag) =>
            calls.changeSettings({ facet_display: displayPatch(saved, editor.value) }, etag),
          )
        } catch (error) {
          if (isChangedMeanwhile(error)) await refresh()
          throw error
        }
      },
      after: refresh,
      done: () => 'Facets saved',
      undo: ({ etag }) => calls.rollbackSettings(before, etag).then(refresh),
    })
  }
  return (
    <Page
      title="Facets"
      about={ABOUT}
      actions={
        <EditorButtons
          editor={editor}
          label="Save facets"
          isDisabled={!mayEdit || !editor.isChanged}
          onSave={save}
        />
      }
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      {editor.error !== null && <ErrorNote error={editor.error} />}
      <ChangedMeanwhile what="order of facets" draft={editor} view={VIEW} />
      <div className="facets-columns">
        <Section
          title="Facets"
          about="Drag them, or use the arrows. A rule can arrange them differently for its searches."
        >
          {counts.isError && <ErrorNote attempt="load" error={counts.error} />}
          <FacetArranger
            display={editor.value}
            names={names}
            schema={schema}
            counts={counts.data}
            isDisabled={!mayEdit}
            onChange={editor.set}
          />
        </Section>
        <FacetPreview display={editor.value} schema={schema} isChanged={editor.isChanged} />
      </div>
    </Page>
  )
}
