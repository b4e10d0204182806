import type { ReactNode } from 'react'

/** `GET`, `POST`: as wide as each other, what deletes in red. */
export function MethodMark({ method }: { readonly method: string }): ReactNode {
  const kind = method === 'DELETE' ? 'explorer-method explorer-deletes' : 'explorer-method'
  return <span className={kind}>{method === 'DELETE' ? 'DEL' : method}</span>
}
