import { Send, Square } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { ROLE_HINTS, useMayIn, useSession } from '../../session/session.ts'
import { useDraft } from '../../state/draft.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock, ProseText } from '../../ui/code-block.tsx'
import { ConfirmDialog } from '../../ui/form-dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { JsonEditor } from '../../ui/json-editor.tsx'
import { Note } from '../../ui/states.tsx'
import { Section } from '../../ui/page.tsx'
import { AnswerView, RequestHistory } from './sent-requests.tsx'
import { sendRequest } from './answer.ts'
import { useRequestHistory } from './history.ts'
import { MethodMark } from '../../parts/operation-list.tsx'
import { storeAskedFor, type Operation } from '../../parts/operations.ts'
import { ParameterFields } from './parameter-fields.tsx'
import {
  buildRequest,
  curlOf,
  emptyRequest,
  missingParameters,
  type RequestDraft,
} from './request.ts'
import { useMutation } from '@tanstack/react-query'

/** An operation to fill in and send; its response; earlier requests. */
export function OperationForm({
  operation,
  storeId,
  onChoose,
}: {
  readonly operation: Operation
  readonly storeId: string | undefined
  readonly onChoose: (id: string) => void
}): ReactNode {
  const { session } = useSession()
  const draft = useDraft<RequestDraft>(
    draftName(operation.id, storeId),
    emptyRequest(operation, storeId),
  )
  const asked = storeAskedFor(operation, storeId, draft.value.parameters['id'])
  const { role = 'member', isOfEachStore } = operation
  const mayThere = useMayIn(asked, role)
  const may = isOfEachStore || mayThere
  const isServiceWide = asked === undefined && session.role === 'member'
  // A body with a password is not written to a storage.
  const [secretBody, setSecretBody] = useState(operation.bodyExample ?? '')
  const history = useRequestHistory()
  const [isAsking, setAsking] = useState(false)
  const stop = useRef<AbortController>(undefined)

  const { hasSecretBody, refusal } = operation
  const filled = hasSecretBody ? { ...draft.value, body: secretBody } : draft.value
  const request = buildRequest(operation, filled, storeId)
  const missing = missingParameters(operation, filled)

  const sending = useMutation({
    mutationFn: async () => {
      const controller = new AbortController()
      stop.current = controller
      const got = await sendRequest(request, session.csrf_token, controller.signal)
      history.add({
        operationId: operation.id,
        storeId,
        method: request.method,
        path: request.path,
        status: got.status,
        ms: got.ms,
        draft: hasSecretBody ? { ...filled, body: operation.bodyExample ?? '' } : filled,
      })
      return got
    },
  })
  const ask = (): void => {
    if (operation.method === 'DELETE') setAsking(true)
    else sending.mutate()
  }

  return (
    <div className="explorer-panes">
      <Section
        title={operation.summary}
        about={
          <span className="explorer-path">
            <MethodMark method={operation.method} /> <code>{operation.path}</code>
          </span>
        }
      >
        {operation.description !== undefined && (
          <p className="muted">
            <ProseText text={operation.description} />
          </p>
        )}
        <Form onSubmit={ask}>
          <ParameterFields
            parameters={operation.parameters}
            values={draft.value.parameters}
            onChange={(parameters) => draft.set({ ...draft.value, parameters })}
          />
          {operation.bodyExample !== undefined && (
            <JsonEditor
              label="Body"
              value={filled.body}
              onChange={(body) =>
                hasSecretBody ? setSecretBody(body) : draft.set({ ...draft.value, body })
              }
              height={220}
            />
          )}
          {refusal !== undefined && <Note>{refusal}</Note>}
          {!may && (
            <Note>
              {isServiceWide
                ? 'This is about the whole service: only people with a role in all stores can send it.'
                : `${ROLE_HINTS[role]}.`}
            </Note>
          )}
          <div className="row">
            <Button
              type="submit"
              variant={operation.method === 'DELETE' ? 'danger' : 'primary'}
              icon={Send}
              isPending={sending.isPending}
              isDisabled={!may || refusal !== undefined || missing.length > 0}
            >
              Send request
            </Button>
            {sending.isPending && (
              <Button icon={Square} onPress={() => stop.current?.abort()}>
                Stop request
              </Button>
            )}
            {draft.isChanged && <Button onPress={draft.clear}>Reset to the example</Button>}
            {missing.length > 0 && (
              <span className="muted small">Still empty: {missing.join(', ')}</span>
            )}
          </div>
        </Form>
        <CodeBlock
          label="With a key"
          samples={[{ label: 'curl', code: curlOf(request, operation.key, location.origin) }]}
        />
      </Section>
      <div className="stack-groups">
        <AnswerView sending={sending} />
        <RequestHistory
          entries={history.entries}
          onClear={history.clear}
          onChoose={(entry) => {
            if (entry.operationId === operation.id) draft.set(entry.draft)
            else {
              history.restore(draftName(entry.operationId, storeId), entry.draft)
              onChoose(entry.operationId)
            }
          }}
        />
      </div>
      <ConfirmDialog
        title={operation.summary}
        confirmLabel="Send request"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => sending.mutateAsync().catch(() => undefined)}
        {...(operation.isOfStore || operation.path.startsWith('/api/v1/admin/stores/{id}')
          ? { nameToType: filled.parameters['id'] ?? storeId ?? '' }
          : {})}
      >
        <p>This deletes data and cannot be undone:</p>
        <p>
          <code>
            {request.method} {request.path}
          </code>
        </p>
      </ConfirmDialog>
    </div>
  )
}

function draftName(operationId: string, storeId: string | undefined): string {
  return `explorer/${storeId ?? ''}/${operationId}`
}
