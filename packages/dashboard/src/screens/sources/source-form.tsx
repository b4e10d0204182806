import type { ChangeSchemaRequest, PutSourceRequest, Source, SourcePreview } from '@aisle/client'
import { useMutation } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useRefresh, useStore } from '../../session/store.ts'
import { perform } from '../../state/change.ts'
import { useUrlChange } from '../../state/url-state.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { Form } from '../../ui/form.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { Note } from '../../ui/states.tsx'
import { NumberField, TextField } from '../../ui/text-field.tsx'
import {
  connectionText,
  KINDS,
  readConnection,
  SECRETS,
  type Connection,
  type Kind,
} from './connection-kinds.ts'
import { PreviewSection } from './preview-section.tsx'
import { SCHEDULES } from './source-text.ts'

const FORMATS = [
  { value: '', label: 'By the URL' },
  { value: 'xml', label: 'XML (Google Merchant, Meta)' },
  { value: 'csv', label: 'CSV' },
  { value: 'tsv', label: 'TSV' },
  { value: 'json', label: 'JSON' },
  { value: 'ndjson', label: 'NDJSON' },
] as const
type Format = (typeof FORMATS)[number]['value']

interface Draft {
  readonly name: string
  readonly kind: Kind
  /** Of all kinds but feeds: JSON, as the service takes it. */
  readonly connection: string
  readonly url: string
  readonly format: Format
  readonly username: string
  /** Password or token. */
  readonly password: string
  readonly idColumn: string
  readonly mapping: Readonly<Record<string, string>>
  readonly cron: string
  readonly timeZone: string
  readonly removes: boolean
  readonly removedPercent: number
  readonly webhook: string
  /** Separated by commas. */
  readonly emails: string
}

/** Connects a source: where it is, what it has, when it is read. */
export function SourceForm({ saved }: { readonly saved: Source | undefined }): ReactNode {
  const { storeId, calls } = useStore()
  const mayEdit = useMay('editor')
  const change = useUrlChange()
  const refresh = useRefresh()
  const [draft, setDraft] = useState<Draft>(() => draftOf(saved))
  const [definesSchema, setDefinesSchema] = useState(true)
  const set = (changes: Partial<Draft>): void => setDraft((one) => ({ ...one, ...changes }))
  const read = useMutation({
    mutationFn: () => {
      const { connection, secrets, mapping, id_column: idColumn } = requestOf(draft, saved)
      return calls.previewSource({
        connection,
        ...(secrets === undefined ? {} : { secrets }),
        ...(saved === undefined ? {} : { source: saved.name }),
        mapping: mapping ?? {},
        ...(idColumn === undefined ? {} : { id_column: idColumn }),
      })
    },
    onSuccess: ({ id_column: idColumn }) => set({ idColumn }),
  })
  const preview = read.data
  const secret = SECRETS[draft.kind]
  const lacksSchema = preview !== undefined && !preview.schema_defined
  const save = useMutation({
    mutationFn: () =>
      perform({
        async write() {
          if (lacksSchema && definesSchema) await defineSchema(preview)
          return calls.putSource(draft.name, requestOf(draft, saved))
        },
        async after({ name }) {
          await refresh('sources', 'schema', 'settings', 'stores')
          change({ source: name, new: undefined, edit: undefined })
        },
        done: () => (saved === undefined ? 'Source connected' : 'Source saved'),
      }),
  })
  const defineSchema = async ({ proposed_fields: fields, distinct }: SourcePreview) => {
    await calls.changeSchema({ fields } as unknown as ChangeSchemaRequest)
    if (distinct !== undefined) {
      await calls.changeSettings({ distinct: { field: distinct, limit: 1 } })
    }
  }
  const isKnown = SCHEDULES.some(({ value }) => value === draft.cron)
  return (
    <Page
      title={saved === undefined ? 'Connect source' : `Edit ${saved.name}`}
      about="The service reads it on a schedule, and writes only what has changed."
      above={[{ label: 'Sources', to: storePath(storeId, 'sources') }]}
    >
      {!mayEdit && <Note>{ROLE_HINTS.editor}.</Note>}
      <Form
        onSubmit={() => save.mutate()}
        error={save.error ?? read.error}
        actions={
          <>
            <LinkButton to={storePath(storeId, 'sources')}>Cancel</LinkButton>
            <Button
              type="submit"
              variant="primary"
              isPending={save.isPending}
              isDisabled={
                !mayEdit ||
                draft.name === '' ||
                (draft.kind === 'feed' && draft.url === '') ||
                (saved === undefined && preview === undefined)
              }
            >
              {saved === undefined ? 'Connect source' : 'Save source'}
            </Button>
          </>
        }
      >
        <div className="sources-columns">
          <div className="stack-groups">
            <Section title="Where it is">
              {saved === undefined && (
                <TextField
                  label="Name"
                  name="name"
                  about="Lower-case letters, digits and hyphens. It cannot be changed later."
                  isMono
                  maxLength={64}
                  placeholder="products"
                  value={draft.name}
                  onChange={(name) => set({ name: name.trim().toLowerCase() })}
                  isDisabled={!mayEdit}
                />
              )}
              <Select
                label="Kind"
                options={KINDS}
                value={draft.kind}
                onChange={(kind) => set({ kind, connection: connectionText(kind, saved) })}
                isDisabled={!mayEdit}
              />
              {draft.kind === 'feed' ? (
                <>
                  <TextField
                    label="URL"
                    name="connection.url"
                    about="A product feed for Google or Meta, or a file of products."
                    isMono
                    placeholder="https://shop.example/feed.xml"
                    value={draft.url}
                    onChange={(url) => set({ url: url.trim() })}
                    isDisabled={!mayEdit}
                  />
                  <Select
                    label="Format"
                    options={FORMATS}
                    value={draft.format}
                    onChange={(format) => set({ format })}
                    isDisabled={!mayEdit}
                  />
                  <TextField
                    label="User name"
                    about="If the URL asks for one."
                    autoComplete="off"
                    value={draft.username}
                    onChange={(username) => set({ username })}
                    isDisabled={!mayEdit}
                  />
                </>
              ) : (
                <TextField
                  label="Connection"
                  name="connection"
                  about="As JSON. The page of this kind in the docs has all members."
                  isMono
                  lines={12}
                  value={draft.connection}
                  onChange={(connection) => set({ connection })}
                  isDisabled={!mayEdit}
                />
              )}
              {secret !== undefined && (draft.kind !== 'feed' || draft.username !== '') && (
                <TextField
                  label={secret[1]}
                  type="password"
                  about={
                    saved?.secrets.includes(secret[0]) === true
                      ? 'Leave empty to keep the stored one.'
                      : 'Stored encrypted, and never shown.'
                  }
                  autoComplete="new-password"
                  value={draft.password}
                  onChange={(password) => set({ password })}
                  isDisabled={!mayEdit}
                />
              )}
              <div>
                <Button
                  isPending={read.isPending}
                  isDisabled={!mayEdit || (draft.kind === 'feed' && draft.url === '')}
                  onPress={() => read.mutate()}
                >
                  Show first products
                </Button>
              </div>
            </Section>
            <Section title="Schedule">
              <Select
                label="Read it"
                options={[...SCHEDULES, { value: 'other', label: 'At other times' }]}
                value={isKnown ? draft.cron : 'other'}
                onChange={(cron) => set({ cron: cron === 'other' ? '30 4 * * 1-5' : cron })}
                isDisabled={!mayEdit}
              />
              {!isKnown && (
                <TextField
                  label="Times"
                  name="schedule.cron"
                  about="Minute, hour, day, month, weekday: 30 4 * * 1-5 is 4:30 on weekdays."
                  isMono
                  value={draft.cron}
                  onChange={(cron) => set({ cron })}
                  isDisabled={!mayEdit}
                />
              )}
              {draft.cron !== '' && (
                <TextField
                  label="Time zone"
                  name="schedule.time_zone"
                  value={draft.timeZone}
                  onChange={(timeZone) => set({ timeZone })}
                  isDisabled={!mayEdit}
                />
              )}
              <Checkbox
                isSelected={draft.removes}
                onChange={(removes) => set({ removes })}
                isDisabled={!mayEdit}
              >
                Delete products that the source no longer has
              </Checkbox>
              {draft.removes && (
                <NumberField
                  label="At most, in one run"
                  about="If more are missing, none is deleted, and you are told."
                  unit="% of its products"
                  minValue={0}
                  maxValue={100}
                  value={draft.removedPercent}
                  onChange={(removedPercent) => set({ removedPercent })}
                  isDisabled={!mayEdit}
                />
              )}
              <TextField
                label="E-mail alerts"
                name="alerts.emails"
                about="Addresses that are told when it fails and when it works again, separated by commas. Optional."
                placeholder="ana@shop.example, bob@shop.example"
                value={draft.emails}
                onChange={(emails) => set({ emails })}
                isDisabled={!mayEdit}
              />
              <TextField
                label="Webhook"
                name="alerts.webhook"
                about="Receives a JSON object at the same moments. Optional."
                isMono
                placeholder="https://hooks.example/aisle"
                value={draft.webhook}
                onChange={(webhook) => set({ webhook: webhook.trim() })}
                isDisabled={!mayEdit}
              />
            </Section>
          </div>
          <PreviewSection
            preview={preview}
            isPending={read.isPending}
            mapping={draft.mapping}
            onMap={(mapping) => set({ mapping })}
            onRead={() => read.mutate()}
          >
            {lacksSchema && (
              <Checkbox isSelected={definesSchema} onChange={setDefinesSchema}>
                Define these fields: the store has no schema
              </Checkbox>
            )}
          </PreviewSection>
        </div>
      </Form>
    </Page>
  )
}

function draftOf(saved: Source | undefined): Draft {
  const { schedule } = saved ?? {}
  const kind = saved?.connection.kind ?? 'feed'
  const feed = saved?.connection.kind === 'feed' ? saved.connection : undefined
  return {
    name: saved?.name ?? '',
    kind,
    connection: connectionText(kind, saved),
    url: feed?.url ?? '',
    format: feed?.format ?? '',
    username: feed?.username ?? '',
    password: '',
    idColumn: saved?.id_column ?? '',
    mapping: saved?.mapping ?? {},
    cron: saved === undefined ? '0 5 * * *' : (schedule?.cron ?? ''),
    timeZone: schedule?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    removes: saved?.deletions === 'remove_missing',
    removedPercent: Math.round((saved?.max_removed_share ?? 0.2) * 100),
    webhook: saved?.alerts?.webhook ?? '',
    emails: saved?.alerts?.emails?.join(', ') ?? '',
  }
}

/** What the form does not show stays as it is. */
function requestOf(draft: Draft, saved: Source | undefined): PutSourceRequest {
  const { kind, password, idColumn, mapping, cron, timeZone, webhook } = draft
  const emails = draft.emails.split(/[\s,;]+/).filter((one) => one !== '')
  const [secret] = SECRETS[kind] ?? []
  return {
    connection: kind === 'feed' ? feedOf(draft, saved) : readConnection(kind, draft.connection),
    ...(password === '' || secret === undefined ? {} : { secrets: { [secret]: password } }),
    mapping,
    ...(idColumn === '' ? {} : { id_column: idColumn }),
    ...(cron === '' ? {} : { schedule: { cron, time_zone: timeZone } }),
    deletions: draft.removes ? 'remove_missing' : 'keep',
    max_removed_share: draft.removedPercent / 100,
    on_error: saved?.on_error ?? 'skip',
    ...(webhook === '' && emails.length === 0
      ? {}
      : {
          alerts: {
            ...(webhook === '' ? {} : { webhook }),
            ...(emails.length === 0 ? {} : { emails }),
          },
        }),
  }
}

function feedOf({ url, format, username }: Draft, saved: Source | undefined): Connection {
  const { encoding, delimiter } = saved?.connection.kind === 'feed' ? saved.connection : {}
  return {
    kind: 'feed',
    url,
    ...(format === '' ? {} : { format }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(username === '' ? {} : { username }),
  }
}
