import { lazy, useState, type ComponentType, type ReactNode } from 'react'

/** A component whose code is loaded apart. */
export interface Chunk<Props> {
  (props: Props): ReactNode
  /** Loads the code ahead of its use; a failure shows when it is used. */
  readonly preload: () => void
}

/**
 * A component in its own chunk, loaded when first shown, or ahead of that.
 *
 * Once loaded it is drawn at once. `lazy` alone would show its fallback first, and React keeps a
 * fallback for 300 ms.
 */
export function chunk<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): Chunk<Props> {
  let loaded: ComponentType<Props> | undefined
  const get = async (): Promise<ComponentType<Props>> => (loaded ??= await load())
  const Late = lazy(async () => ({ default: await get() })) as unknown as ComponentType<Props>
  function Chunk(props: Props): ReactNode {
    // The same component as long as this is shown, so that its state is kept.
    const [Content] = useState(() => loaded ?? Late)
    return <Content {...props} />
  }
  return Object.assign(Chunk, { preload: () => void get().catch(() => undefined) })
}
