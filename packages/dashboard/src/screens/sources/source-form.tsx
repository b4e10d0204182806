import type { ChangeSchemaRequest, Source, SourcePreview } from '@aisle/client'
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
import { ConnectionFields } from './connection-fields.tsx'
import { KINDS, membersOf, readMembers, SECRETS } from './connection-kinds.ts'
import { PreviewSection } from './preview-section.tsx'
import { draftOf, requestOf, type Draft } from './source-draft.ts'
import { SCHEDULES } from './source-text.ts'

/** Connects a source: where it is, what it has, when it is read. */
export function SourceForm({ saved }: { readonly saved: Source | undefined }): ReactNode {
  const { storeId, calls } = useStore()
  const mayEdit = useMay('editor')
  const change = useUrlChange()
  const refresh = useRefresh()
  const [draft, setDraft] = useState<Draft>(() => draftOf(saved))
  const [definesSchema, setDefinesSchema] = useState(true)
  const [jsonError, setJsonError] = useState<Error>()
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
  const setView = (isJson: boolean): void => {
    if (isJson) set({ json: JSON.stringify(draft.members, null, 2) })
    else if (draft.json !== undefined) {
      try {
        set({ members: readMembers(draft.json), json: undefined })
        setJsonError(undefined)
      } catch (error) {
        setJsonError(error as Error)
      }
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
        error={save.error ?? read.error ?? jsonError}
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
                isEmpty(draft) ||
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
                onChange={(kind) => {
                  const idColumn = saved?.connection.kind === kind ? saved.id_column : ''
                  const members = membersOf(kind, saved)
                  set({ kind, members, idColumn, json: undefined, secrets: {}, mapping: {} })
                  read.reset()
                }}
                isDisabled={!mayEdit}
              />
              {draft.json === undefined ? (
                <ConnectionFields
                  key={draft.kind}
                  kind={draft.kind}
                  members={draft.members}
                  onChange={(members) => set({ members })}
                  isDisabled={!mayEdit}
                />
              ) : (
                <TextField
                  label="Connection"
                  name="connection"
                  about="The page of this kind in the docs has all members."
                  isMono
                  lines={12}
                  value={draft.json}
                  onChange={(json) => set({ json })}
                  isDisabled={!mayEdit}
                />
              )}
              {secretsOf(draft).map(([name, label]) => (
                <TextField
                  key={name}
                  label={label}
                  name={`secrets.${name}`}
                  type="password"
                  about={
                    saved?.secrets.includes(name) === true
                      ? 'Leave empty to keep the stored one.'
                      : 'Stored encrypted, and never shown.'
                  }
                  autoComplete="new-password"
                  value={draft.secrets[name] ?? ''}
                  onChange={(value) => set({ secrets: { ...draft.secrets, [name]: value } })}
                  isDisabled={!mayEdit}
                />
              ))}
              {draft.kind !== 'shopify' && draft.kind !== 'woocommerce' && (
                <TextField
                  label="Id column"
                  name="id_column"
                  about="Column or attribute with the id of a product. Empty: the preview proposes one."
                  isMono
                  placeholder="id"
                  value={draft.idColumn}
                  onChange={(idColumn) => set({ idColumn: idColumn.trim() })}
                  isDisabled={!mayEdit}
                />
              )}
              <Checkbox
                isSelected={draft.json !== undefined}
                onChange={(isJson) => setView(isJson)}
                isDisabled={!mayEdit}
              >
                Edit the connection as JSON
              </Checkbox>
              <div>
                <Button
                  isPending={read.isPending}
                  isDisabled={!mayEdit || isEmpty(draft)}
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

/** A feed has a password if it has a user name; a shop, a client secret if it has a client. */
function secretsOf({ kind, members, json }: Draft): (typeof SECRETS)[Draft['kind']] {
  const all = SECRETS[kind]
  if (json !== undefined) return all
  if (kind === 'feed' && members['username'] === undefined) return []
  if (kind !== 'shopify') return all
  const wanted = members['client_id'] === undefined ? 'access_token' : 'client_secret'
  return all.filter(([name]) => name === wanted)
}

/** Its place is missing. */
function isEmpty({ members, json }: Draft): boolean {
  return json === undefined && (members['url'] ?? members['host']) === undefined
}
