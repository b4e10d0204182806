/** Escapes text for HTML, between tags and in quoted attributes. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(SPECIAL_ALL, (char) => ENTITIES[char]!) : text
}

const SPECIAL = /[&<>"']/
const SPECIAL_ALL = /[&<>"']/g

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
