export interface DraftTab {
  readonly label: string
  readonly field: string
  readonly value: string
}

interface TabsRequest {
  readonly q: string
  readonly include_filtered_tabs: true
  readonly include_empty_query_recommendations: true
  readonly filtered_tabs: {
    readonly label: string
    readonly limit: number
    readonly filters: Readonly<Record<string, string>>
  }[]
}

const PRODUCTS_PER_TAB = 6

/** The body for `/v1/suggestions/queries`; tabs without a label or a value are left out. */
export function tabsRequest(q: string, tabs: readonly DraftTab[]): TabsRequest {
  return {
    q,
    include_filtered_tabs: true,
    include_empty_query_recommendations: true,
    filtered_tabs: tabs
      .filter(({ label, value }) => label.trim() !== '' && value.trim() !== '')
      .map(({ label, field, value }) => ({
        label: label.trim(),
        limit: PRODUCTS_PER_TAB,
        filters: { [field]: value.trim() },
      })),
  }
}
