import { Shared } from './shared.ts'

export interface Toast {
  readonly id: number
  readonly text: string
  readonly kind: 'good' | 'bad'
  readonly undo?: (() => void) | undefined
}

const SHOWN_MS = 5_000
/** Older ones disappear. */
const TOASTS_MAX = 4

export const TOASTS = new Shared<readonly Toast[]>([])
let lastId = 0

/** Briefly confirms an action. What needs a decision belongs in the page instead. */
export function toast(text: string, kind: Toast['kind'] = 'good', undo?: () => void): void {
  const id = ++lastId
  TOASTS.set([...TOASTS.value, { id, text, kind, undo }].slice(-TOASTS_MAX))
  setTimeout(() => dismissToast(id), undo === undefined ? SHOWN_MS : SHOWN_MS * 2)
}

export function dismissToast(id: number): void {
  TOASTS.set(TOASTS.value.filter((one) => one.id !== id))
}
