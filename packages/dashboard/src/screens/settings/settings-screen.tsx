import type { StoreSettings } from '@aisle/contract'
import { useQueryClient } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { fieldErrors } from '../../api/failure.ts'
import { formatCount, formatNumber } from '../../format/numbers.ts'
import { Time } from '../../ui/time.tsx'
import {
  isChangedMeanwhile,
  overSettings,
  useSchema,
  useSettings,
} from '../../parts/store-queries.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useRefresh, useStore } from '../../session/store.ts'
import { useUrlState } from '../../state/url-state.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState, ErrorNote, ErrorState, Note, Skeleton } from '../../ui/states.tsx'
import { SearchField } from '../../ui/text-field.tsx'
import { Form } from '../../ui/form.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { languageName } from '../../parts/languages.ts'
import { SettingControl } from './setting-control.tsx'
import { Calibration } from './calibration.tsx'
import { TryPopularity } from './try-popularity.tsx'
import {
  changedValues,
  patchOf,
  valueAt,
  valuesOf,
  type SettingValues,
} from '../../parts/setting-changes.ts'
import type { SettingSection } from '../../parts/setting-control.ts'
import { SETTING_FIELDS, SETTING_SECTIONS } from '../../parts/setting-fields.ts'
import {
  SETTINGS_VIEW,
  SettingVersions,
  useSettingsHistory,
} from '../../parts/setting-versions.tsx'
import { SettingsPreview } from './settings-preview.tsx'
import { SettingsFiles } from './settings-files.tsx'
import { ChangedMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { EditorButtons, useEditor } from '../../parts/editor.tsx'
import './settings.css'

const PATHS = SETTING_FIELDS.map(({ path }) => path)

/** Sections of many small controls. */
const GRIDS: ReadonlySet<string> = new Set(['card', 'matching', 'limits'])

/**
 * How a store behaves: each setting with its meaning and default; versions, and dangerous actions.
 */
export function SettingsScreen(): ReactNode {
  const settings = useSettings()
  const history = useSettingsHistory()
  return (
    <Page
      title="Settings"
      about="Search, identity and quotas of this store. Changes apply to the next search."
    >
      {settings.isError ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : settings.data === undefined || history.isPending ? (
        <Skeleton height={480} />
      ) : (
        <>
          {settings.data.warnings?.map((warning) => (
            <Note key={warning} kind="warn">
              {warning}.
            </Note>
          ))}
          <SettingsForm settings={settings.data} given={history.data?.[0]?.settings ?? {}} />
        </>
      )}
    </Page>
  )
}

function SettingsForm({
  settings,
  given,
}: {
  readonly settings: StoreSettings
  readonly given: unknown
}): ReactNode {
  const { storeId, calls } = useStore()
  const client = useQueryClient()
  const mayEdit = useMay('editor')
  const schema = useSchema()
  const saved = valuesOf(given, PATHS)
  const editor = useEditor<SettingValues>(`setting-values/${storeId}`, saved)
  const changes = changedValues(editor.base, editor.value)
  const count = Object.keys(changes).length
  const errors = fieldErrors(editor.error)

  const readAgain = useRefresh()
  const refresh = () => readAgain('settings', 'stores')
  // Rules, sets and the schema are shown by other screens.
  const refreshAll = (): Promise<unknown> =>
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === storeId })
  const save = (): void => {
    const before = settings.version
    editor.save({
      write: async () => {
        try {
          return await overSettings(calls, settings, (etag) =>
            calls.changeSettings(patchOf(changes), etag),
          )
        } catch (error) {
          if (isChangedMeanwhile(error)) await refresh()
          throw error
        }
      },
      after: refresh,
      done: () => 'Settings saved',
      undo: ({ etag }) => calls.rollbackSettings(before, etag).then(refresh),
    })
  }

  const [wanted, setWanted] = useUrlState('find', '', { isTyped: true })
  const sections = sectionsWith(wanted)
  return (
    <div className="settings-columns">
      <nav aria-label="Sections" className="settings-index stack gap-8">
        {sections.map(({ id, title }) => (
          <a key={id} href={`#${id}`}>
            {title}
          </a>
        ))}
        <a href="#versions">Versions</a>
        <a href="#files">Files</a>
        <a href="#danger">Delete</a>
      </nav>
      <div className="stack-groups settings-main">
        <div className="row">
          <SearchField label="Find a setting" value={wanted} onChange={setWanted} />
        </div>
        {sections.length === 0 && (
          <EmptyState icon={SearchX} title="No setting matches">
            Try another word, such as “typos” or “events”.
          </EmptyState>
        )}
        {!mayEdit && <Note>{ROLE_HINTS.editor}. Everything is shown.</Note>}
        <Analysis settings={settings} />
        <Form onSubmit={save}>
          <div className="stack-groups">
            {sections.map(({ id, title, about, fields }) => (
              <div key={id} id={id} className="settings-section">
                <Section title={title} about={about}>
                  <div className={GRIDS.has(id) ? 'settings-grid' : 'stack-groups'}>
                    {fields.map((field) => {
                      const { path } = field
                      const inForce = valueAt(settings, path)
                      const isChanged = Object.hasOwn(changes, path)
                      const value = isChanged ? changes[path] : inForce
                      return (
                        <SettingControl
                          key={path}
                          field={field}
                          value={value}
                          isGiven={isChanged ? value !== null : valueAt(given, path) !== undefined}
                          isChanged={isChanged}
                          schema={schema.data}
                          embedders={settings.embedders}
                          error={errors[path]}
                          mayEdit={mayEdit}
                          onChange={(next) => editor.set({ ...editor.value, [path]: next })}
                        />
                      )
                    })}
                  </div>
                  {id === 'ranking' && wanted === '' && <TryPopularity />}
                  {id === 'meaning' && <Embedding settings={settings} />}
                  {id === 'meaning' && <Calibration settings={settings} />}
                  {id === 'limits' && <Used settings={settings} />}
                </Section>
              </div>
            ))}
          </div>
          {count > 0 && (
            <div className="settings-bar floating stack gap-8">
              <ChangedMeanwhile what="store's settings" draft={editor} view={SETTINGS_VIEW} />
              {editor.error !== null && <ErrorNote error={editor.error} />}
              <div className="row">
                <span className="grow strong">{formatCount(count, 'change')} not saved</span>
                <EditorButtons editor={editor} label="Save settings" isDisabled={false} />
              </div>
            </div>
          )}
        </Form>
        <div id="versions" className="settings-section">
          <Section title="Versions" about="One per change. The last 50 are kept.">
            <SettingVersions onRestored={refresh} />
          </Section>
        </div>
        <div id="files" className="settings-section">
          <SettingsFiles onApplied={refreshAll} />
        </div>
        <Danger />
      </div>
      <aside
        className={count > 0 ? 'settings-side' : 'settings-side settings-side-idle'}
        aria-label="Preview of the settings"
      >
        <SettingsPreview settings={settings} changes={changes} />
      </aside>
    </div>
  )
}

/** The sections with the settings that have these words in their texts. */
function sectionsWith(text: string): readonly SettingSection[] {
  const words = text.trim().toLowerCase().split(/\s+/)
  return SETTING_SECTIONS.flatMap((section) => {
    const fields = section.fields.filter(({ path, label, about, fallback }) => {
      const all = `${section.title} ${path} ${label} ${about} ${fallback}`.toLowerCase()
      return words.every((word) => all.includes(word))
    })
    return fields.length === 0 ? [] : [{ ...section, fields }]
  })
}

function Analysis({ settings }: { readonly settings: StoreSettings }): ReactNode {
  const { state, language, target_language, documents_done, documents_total } = settings.analysis
  if (state === 'ready') return null
  const target = languageName(target_language ?? settings.language)
  if (state === 'failed') {
    return (
      <Note kind="bad">
        Couldn't re-index the products in {target}. Searches still use {languageName(language)}. See
        the service's log for the reason. It will be retried at the next start.
      </Note>
    )
  }
  const done = `${formatNumber(documents_done)} of ${formatNumber(documents_total)}`
  if (target_language === language) {
    return (
      <Note>Re-indexing the products: {done}. Searches use the previous settings until then.</Note>
    )
  }
  return (
    <Note>
      Re-indexing the products in {target}: {done}. Searches use {languageName(language)} until
      then.
    </Note>
  )
}

/** How many products have a vector. */
function Embedding({ settings }: { readonly settings: StoreSettings }): ReactNode {
  const { embedding } = settings
  if (embedding === undefined) return null
  const { state, documents_done, documents_total, documents_per_second: speed } = embedding
  const done = `${formatNumber(documents_done)} of ${formatNumber(documents_total)} products`
  const replaced =
    embedding.replaces === undefined ? '' : ` ${embedding.replaces} is in use until then.`
  if (state === 'waiting') {
    return (
      <Note kind="bad">
        {embedding.embedder} does not answer, and is tried again: {embedding.problem}. {done} are
        prepared; the others are found by their words.
      </Note>
    )
  }
  if (state === 'ready') return <p className="small muted">{done} are prepared.</p>
  return (
    <Note>
      Preparing: {done}
      {speed === undefined ? '' : `, ${formatNumber(Math.round(speed))} per second`}.{replaced}
    </Note>
  )
}

function Used({ settings }: { readonly settings: StoreSettings }): ReactNode {
  const { searches_used, resets_at } = settings.quota
  return (
    <p className="small muted">
      {formatCount(searches_used, 'search', 'searches')} this month. The count resets{' '}
      <Time at={resets_at} />.
    </p>
  )
}

function Danger(): ReactNode {
  const { storeId, summary } = useStore()
  return (
    <div id="danger" className="settings-section">
      <Section title="Delete" about="You will be asked to type the store's name.">
        <ul className="lined">
          <li className="row row-top gap-12">
            <span className="grow">
              <span className="strong">Delete all products</span>
              <span className="muted small settings-line">
                {formatCount(summary.documents, 'product')}; schema, rules and events stay.
              </span>
            </span>
            <LinkButton to={storePath(storeId, 'documents')}>Open products</LinkButton>
          </li>
          <li className="row row-top gap-12">
            <span className="grow">
              <span className="strong">Rename, clone or delete the store</span>
              <span className="muted small settings-line">
                Including products, rules, keys and events.
              </span>
            </span>
            <LinkButton to="/stores">Open stores</LinkButton>
          </li>
        </ul>
      </Section>
    </div>
  )
}
