import type { ReactNode } from 'react'
import './operation-list.css'

/** `GET`, `POST`: as wide as each other, what deletes in red. */
export function MethodMark({ method }: { readonly method: string }): ReactNode {
  const kind = method === 'DELETE' ? 'operation-method operation-deletes' : 'operation-method'
  return <span className={kind}>{method === 'DELETE' ? 'DEL' : method}</span>
}
