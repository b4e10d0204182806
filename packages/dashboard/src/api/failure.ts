import { RefusedError, UnreachableError } from '@aisle/client'

/** How an error is explained to a person: what happened, why, what to do. */
export interface FailureText {
  readonly title: string
  readonly why: string
  readonly advice?: string
  readonly code?: string
  readonly requestId?: string
}

export function failureText(error: unknown): FailureText {
  if (error instanceof UnreachableError) {
    return {
      title: 'The service cannot be reached',
      why: navigator.onLine ? 'No answer came.' : 'This computer is offline.',
      advice: 'What you typed is kept. Try again when the connection is back.',
    }
  }
  if (!(error instanceof RefusedError)) {
    return {
      title: 'This page has a fault',
      why: error instanceof Error ? error.message : String(error),
      advice: 'Reload the page. If it happens again, report it with the text above.',
    }
  }
  const { status, message, code, requestId } = error
  const [title, advice] = titleOf(status)
  return {
    title,
    why: message,
    ...(advice === undefined ? {} : { advice }),
    ...(code === undefined ? {} : { code }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

/** Errors of the fields of a form, by their names in the request. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof RefusedError)) return {}
  const named = error.details.filter(({ param }) => param !== undefined)
  const all = named.map(({ param, message }) => [param!, message] as const)
  if (all.length === 0 && error.param !== undefined) all.push([error.param, error.message])
  return Object.fromEntries(all)
}

/** @returns title, advice */
function titleOf(status: number): [string, string?] {
  if (status === 401) return ['The session has ended', 'Log in again; what you typed is kept.']
  if (status === 403) return ['Your role does not allow this', 'An owner can change your role.']
  if (status === 404) return ['It is not there any more']
  if (status === 409) return ['There is one of that name already', 'Choose another name.']
  if (status === 413) return ['That is too large']
  if (status === 429) return ['Too many requests', 'Wait a moment, then try again.']
  if (status === 507)
    return [
      'The disk of the service is full',
      'Free some room on it, or delete what is not needed.',
    ]
  if (status === 503) return ['The service is busy or starting', 'Try again in a moment.']
  if (status >= 500)
    return ['The service failed', 'Try again. If it happens again, look at its log.']
  return ['The service refused this']
}
