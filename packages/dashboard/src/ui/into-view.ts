/** A `ref` of what appears after somebody pressed a button: a long form scrolls to it. */
export function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}
