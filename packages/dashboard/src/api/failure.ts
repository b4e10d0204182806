import { RefusedError, UnreachableError } from '@aisle/client'

/** How an error is explained to a person: what happened, why, what to do. */
export interface FailureText {
  readonly title: string
  readonly why: string
  readonly advice?: string
  readonly code?: string
  readonly requestId?: string
}

/** What failed: a change, or a reading. */
export type Attempt = 'save' | 'load'

export function failureText(error: unknown, attempt: Attempt = 'save'): FailureText {
  if (error instanceof UnreachableError) {
    return {
      title: "Can't reach the service",
      why: navigator.onLine ? 'No response.' : 'You are offline.',
      advice: 'Your input is kept. Try again when you are back online.',
    }
  }
  if (!(error instanceof RefusedError)) {
    return {
      title: 'Something went wrong on this page',
      why: error instanceof Error ? error.message : String(error),
      advice: 'Reload the page. If it happens again, report the message above.',
    }
  }
  const { status, message, code, requestId } = error
  const [title, advice] = titleOf(status, attempt, code)
  // The message is about headers, which nobody types here.
  if (status === 401) return { title, why: advice! }
  return {
    title,
    why: message.replaceAll(PARAMETER, '“$1”'),
    ...(advice === undefined ? {} : { advice }),
    ...(code === undefined ? {} : { code }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

const PARAMETER = /Parameter [`"]([^`"]+)[`"]/g

/**
 * Errors of the fields of a form, by their names in the request. Beside its field, an error need
 * not name it.
 */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof RefusedError)) return {}
  const named = error.details.filter(({ param }) => param !== undefined)
  const all = named.map(({ param, message }) => [param!, message] as const)
  if (all.length === 0 && error.param !== undefined) all.push([error.param, error.message])
  return Object.fromEntries(all.map(([param, message]) => [param, atField(message)]))
}

function atField(message: string): string {
  const rest = message.replace(/^(Parameter )?[`"][^`"]+[`"] /, '')
  return rest.charAt(0).toUpperCase() + rest.slice(1)
}

/** @returns title, advice */
function titleOf(status: number, attempt: Attempt, code?: string): [string, string?] {
  if (status === 401) return ['Your session has expired', 'Log in again. Your input is kept.']
  if (status === 403) return ["Your role can't do this", 'An owner can change your role.']
  if (status === 404) return ['Not found']
  if (code === 'schema_conversion_failed')
    return ["Some products don't fit", 'Correct their values, or choose another type.']
  if (code === 'edit_running')
    return ['Another edit is running', 'Wait for it to finish, or cancel it.']
  if (status === 409) return ['This name is taken', 'Choose another name.']
  if (status === 412)
    return ['Changed by someone else', 'Reload to see the latest version, then try again.']
  if (status === 413) return ['Too large']
  if (status === 429) return ['Too many requests', 'Wait a moment, then try again.']
  if (status === 507)
    return ["The service's disk is full", 'Free up disk space, or delete data you no longer need.']
  if (status === 503) return ['The service is busy or starting', 'Try again in a moment.']
  if (status >= 500)
    return ['Server error', 'Try again. If it happens again, check the log of the service.']
  return [attempt === 'save' ? "Couldn't save" : "Couldn't load"]
}
