/** A dropdown for the search box: the entry `@aisle/instantsearch-adapter/autocomplete`. */
export { dropdownPlugin } from './dropdown-plugin.ts'
export type {
  ChosenSearch,
  DropdownEvents,
  DropdownOptions,
  DropdownPlugin,
} from './dropdown-plugin.ts'
export type {
  DropdownItems,
  DropdownTemplates,
  ListTemplates,
  Product,
} from './dropdown-templates.ts'
