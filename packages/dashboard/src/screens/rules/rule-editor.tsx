import { RefusedError } from '@aisle/client'
import { Copy, FlaskConical, Trash2 } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import { fieldErrors } from '../../api/failure.ts'
import { ROLE_HINTS, useMay } from '../../session/session.ts'
import { storePath, useRefresh, useStore } from '../../session/store.ts'
import { useUrlChange, useUrlState } from '../../state/url-state.ts'
import { Button } from '../../ui/button.tsx'
import { Switch } from '../../ui/choice.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { ErrorNote, Note } from '../../ui/states.tsx'
import { ActionMenu } from '../../ui/menu.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { NumberField, TextField } from '../../ui/text-field.tsx'
import { toast } from '../../state/toasts.ts'
import { CategoryFigures } from './category-figures.tsx'
import { categoryRuleId, type CategoryPage } from './category-page.ts'
import { Conditions } from './conditions.tsx'
import { Conflicts } from './conflicts.tsx'
import { Consequences } from './consequences.tsx'
import { suggestedId, usePreview, useRuleEditor, type RuleEditorState } from './editor-state.ts'
import { Results } from './results.tsx'
import {
  filledRule,
  hasActions,
  unfilledParts,
  type NamedRule,
  type RuleValue,
} from './rule-draft.ts'
import { RULE_VIEW } from './rule-view.ts'
import { effectTexts, scheduleText, whenText } from './rule-words.ts'
import type { Rules } from './rules-data.ts'
import { Schedule } from './schedule.tsx'
import { StrategyField } from './strategy-field.tsx'
import { Traffic } from './traffic.tsx'
import { ChangedMeanwhile } from '../../parts/changed-meanwhile.tsx'
import { DeletedMeanwhile, isDeletedMeanwhile } from '../../parts/deleted-meanwhile.tsx'
import { EditorButtons } from '../../parts/editor.tsx'
import { ExperimentDialog } from '../../parts/experiment-dialog.tsx'

const PRIORITY_MAX = 1_000_000
const SHOWN_FIRST = 24
const SHOWN_MAX = 250
/** The service's name for a rule without an id in a preview. */
const UNNAMED = '(preview)'

/** A rule in sentences, with the results that it leads to beside them. */
export function RuleEditor({
  saved,
  rules,
  all,
  category,
}: {
  readonly saved: NamedRule | undefined
  readonly rules: Rules
  readonly all: readonly NamedRule[]
  /** The page that the rule arranges; absent for any rule. */
  readonly category?: CategoryPage
}): ReactNode {
  const { storeId } = useStore()
  const mayEdit = useMay('editor')
  const change = useUrlChange()
  const refresh = useRefresh()
  const state = useRuleEditor(saved, category)
  const [shownText] = useUrlState('shown', String(SHOWN_FIRST))
  const shown = Math.min(SHOWN_MAX, Math.max(1, Math.trunc(Number(shownText)) || SHOWN_FIRST))
  const preview = usePreview(state, shown)
  const [isDeleting, setDeleting] = useState(false)
  const [isTrying, setTrying] = useState(false)
  const { draft, rule, isNew, editor } = state
  const suggested = category === undefined ? suggestedId(rule) : categoryRuleId(category)
  const id = draft.id.trim() === '' ? suggested : draft.id.trim()
  const isTaken = isNew && all.some((other) => other.id === id)
  const unfilled = unfilledParts(rule)
  const isIdle = !hasActions(rule)
  const problem = editor.error ?? preview.error
  const errors = useMemo(() => fieldErrors(problem), [problem])
  const errorAt = (path: string): string | undefined => errors[`rule.${path}`] ?? errors[path]
  const list =
    category === undefined
      ? { label: 'Rules', to: storePath(storeId, 'rules') }
      : { label: 'Categories', to: storePath(storeId, 'categories') }
  const closed = { rule: undefined, category: undefined, q: undefined, shown: undefined }

  /** @param base absent: creates it */
  const publishOver = (base: RuleValue | undefined): void =>
    editor.save({
      write: () => rules.save(id, filledRule(rule), base),
      after: () => category === undefined && change({ rule: id, new: undefined }),
      done: () => 'Rule published',
      undo: (written) => {
        if (saved !== undefined) return rules.save(id, saved.value, written)
        if (category === undefined) change({ rule: undefined })
        return rules.remove(id, written)
      },
    })
  const why = !mayEdit
    ? `${ROLE_HINTS.editor}.`
    : unfilled.length > 0
      ? `To publish, complete or remove: ${unfilled.join(', ')}.`
      : isIdle && editor.isChanged
        ? 'To publish, add an action: the rule does nothing yet.'
        : undefined
  return (
    <Page
      title={category?.value ?? (isNew ? 'New rule' : draft.id)}
      about={category === undefined ? sentence(rule) : pageSentence(rule)}
      above={[list]}
      actions={
        <>
          {!isNew && (
            <ActionMenu
              label="More"
              actions={[
                {
                  label: 'Copy as JSON',
                  icon: Copy,
                  onAction: () => {
                    void navigator.clipboard.writeText(
                      JSON.stringify({ id: draft.id, ...filledRule(rule) }, undefined, 2),
                    )
                    toast('Copied')
                  },
                },
                {
                  label: 'Delete rule',
                  icon: Trash2,
                  isDangerous: true,
                  isDisabled: !mayEdit,
                  onAction: () => setDeleting(true),
                },
              ]}
            />
          )}
          {category !== undefined && (
            <Button
              icon={FlaskConical}
              isDisabled={!mayEdit || unfilled.length > 0 || isIdle || !editor.isChanged}
              onPress={() => setTrying(true)}
            >
              Run as experiment
            </Button>
          )}
          <EditorButtons
            editor={editor}
            label="Publish rule"
            isDisabled={
              !mayEdit ||
              unfilled.length > 0 ||
              isIdle ||
              id === '' ||
              isTaken ||
              !(isNew || editor.isChanged)
            }
            onSave={() => publishOver(saved?.value)}
          />
        </>
      }
    >
      <div
        className={category === undefined ? 'rules-columns' : 'rules-columns rules-columns-page'}
      >
        <div className="rules-left">
          {why !== undefined && <Note>{why}</Note>}
          {isDeletedMeanwhile(editor.error) ? (
            <DeletedMeanwhile
              what="rule"
              isPending={editor.isPending}
              onCreate={() => publishOver(undefined)}
              onDiscard={() => {
                editor.discard()
                change(closed)
                void refresh('rules')
              }}
            />
          ) : (
            problem !== null && !isAtField(problem, errors) && <ErrorNote error={problem} />
          )}
          <ChangedMeanwhile what="rule" draft={editor} view={RULE_VIEW} />
          <Conflicts
            id={isNew ? UNNAMED : draft.id}
            conflicts={preview.data?.conflicts ?? []}
            isComplete={preview.data?.conflicts_complete ?? true}
          />
          {category === undefined ? (
            <Section title="When it applies">
              <Conditions state={state} isDisabled={!mayEdit} errorAt={errorAt} />
            </Section>
          ) : (
            <>
              <Note>
                This is the page with the filter <code>{category.filter}</code> and without a query.
              </Note>
              <CategoryFigures page={category} />
            </>
          )}
          <Section title="Actions">
            <Consequences state={state} isDisabled={!mayEdit} errorAt={errorAt} />
          </Section>
          <Section title="Schedule">
            <Schedule state={state} isDisabled={!mayEdit} errorAt={errorAt} />
          </Section>
          <Section title="Name and priority">
            <NameAndPriority
              state={state}
              suggested={suggested}
              isTaken={isTaken}
              mayEdit={mayEdit}
              errorAt={errorAt}
            />
          </Section>
          {category === undefined && <Traffic state={state} isReady={preview.isSuccess} />}
        </div>
        <Results
          state={state}
          preview={preview}
          shown={shown}
          onShowMore={() => change({ shown: String(Math.min(SHOWN_MAX, shown * 2)) })}
          canShowMore={shown < SHOWN_MAX}
          mayEdit={mayEdit}
          isPage={category !== undefined}
        />
      </div>
      {isTrying && category !== undefined && (
        <ExperimentDialog
          name={category.value}
          draft={{ rules: { [id]: filledRule(rule) } }}
          category={category}
          onClose={() => setTrying(false)}
        />
      )}
      <ConfirmDialog
        title={`Delete “${draft.id}”`}
        confirmLabel="Delete rule"
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
        onConfirm={() =>
          editor.remove({
            write: () => rules.remove(draft.id, saved!.value),
            after: () => change(closed),
            done: () => 'Rule deleted',
            undo: () => rules.save(saved!.id, saved!.value),
          })
        }
      >
        <p>
          {whenText(rule)}: it {effectTexts(rule).join(', ') || 'no actions yet'}. Searches go on
          without it at once.
        </p>
      </ConfirmDialog>
    </Page>
  )
}

/** What a rule is called, how it ranks among others, and whether it applies. */
function NameAndPriority({
  state,
  suggested,
  isTaken,
  mayEdit,
  errorAt,
}: {
  readonly state: RuleEditorState
  readonly suggested: string
  readonly isTaken: boolean
  readonly mayEdit: boolean
  readonly errorAt: (path: string) => string | undefined
}): ReactNode {
  const { draft, rule, isNew } = state
  return (
    <>
      {isNew && (
        <TextField
          label="Rule id"
          about="Letters, digits, spaces, dots, colons, hyphens and underscores. Cannot be changed later."
          isMono
          placeholder={suggested}
          value={draft.id}
          onChange={state.setId}
          isDisabled={!mayEdit}
          maxLength={128}
          error={isTaken ? 'This id is taken' : errorAt('id')}
        />
      )}
      <TextField
        label="Description"
        value={rule.description ?? ''}
        onChange={(text) => state.change({ description: text === '' ? undefined : text })}
        isDisabled={!mayEdit}
        maxLength={1_000}
        error={errorAt('description')}
      />
      <StrategyField
        value={rule.strategy}
        onChange={(strategy) => state.change({ strategy })}
        isDisabled={!mayEdit}
        error={errorAt('strategy')}
      />
      <NumberField
        label="Priority"
        about="In a conflict, the higher priority wins."
        minValue={-PRIORITY_MAX}
        maxValue={PRIORITY_MAX}
        value={rule.priority ?? 0}
        onChange={(priority) =>
          state.change({ priority: Number.isFinite(priority) ? priority : 0 })
        }
        isDisabled={!mayEdit}
      />
      <Switch
        isSelected={rule.enabled !== false}
        onChange={(enabled) => state.change({ enabled })}
        isDisabled={!mayEdit}
      >
        Applies once published
      </Switch>
    </>
  )
}

function sentence(rule: NamedRule['value']): string {
  const effects = effectTexts(rule).join(', ')
  const times = scheduleText(rule)
  const when = times === undefined ? whenText(rule) : `${whenText(rule)}, ${times}`
  return effects === '' ? `${when}.` : `${when}: ${effects}.`
}

function pageSentence(rule: NamedRule['value']): string {
  const effects = effectTexts(rule).join(', ')
  return effects === ''
    ? 'As the catalog has it: no rule arranges this page yet.'
    : `The rule ${effects}.`
}

/** Whether the error is shown at a field. */
function isAtField(problem: unknown, errors: Readonly<Record<string, string>>): boolean {
  if (!(problem instanceof RefusedError) || problem.status !== 400) return false
  return Object.keys(errors).some((path) => SAID_AT_FIELD.test(path))
}

const SAID_AT_FIELD =
  /^(?:rule\.)?(?:when\[\d+\]\.\w+|boost\[\d+\]\.\w+|filter_by|sort_by|replace_query|remove_words|redirect|banner|metadata|schedule\[\d+\](?:\.\w+)?|id|description|strategy)$/
