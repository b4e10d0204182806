import { fieldNameOf } from '../field-name.ts'

/** The kind of values that the name of a column suggests. */
export type NameKind = 'code' | 'ratio' | 'count' | 'flag' | 'none'

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Codes: their digits name a thing and are never added up. */
const CODE_WORDS = words(
  'sku skus ean ean8 ean13 gtin gtin8 gtin12 gtin13 gtin14 upc upca mpn isbn isbn10 isbn13 issn asin jan pzn ' +
    'barcode barcodes strichcode codebarre codebarres partnumber partno partnr teilenummer teilenr ' +
    'artikelnummer artikelnr artnr artnum bestellnummer bestellnr herstellernummer modellnummer ' +
    'varenummer artikelnummers modelnumber itemnumber referencia référence reference riferimento ' +
    'phone phones telephone telefon telefono teléfono téléphone tel mobile handy fax ' +
    'zip zipcode postcode postalcode plz postleitzahl codepostal postnummer iban',
)
const CODE_PAIRS = words(
  'part_number part_no part_nr part_num item_number item_no item_nr item_code article_number article_no article_nr ' +
    'article_code artikel_nummer artikel_nr art_nr model_number model_no product_number product_no product_code ' +
    'order_number catalog_number catalogue_number serial_number vendor_code manufacturer_number ' +
    'bar_code code_barre code_barres codigo_barras código_barras de_barras codice_barre a_barre zip_code post_code postal_code code_postal ' +
    'codigo_postal código_postal codice_postale hersteller_nummer hersteller_nr bestell_nr vat_number hs_code ' +
    'numéro_article numero_article customs_number style_number style_code phone_number telefon_nummer',
)
const RATIO_WORDS = words(
  'price prices cost costs msrp rrp uvp amount total subtotal discount percent percentage rate ratio rating ratings ' +
    'score stars weight height width length depth volume margin tax vat fee share ' +
    'preis preise kosten betrag summe rabatt prozent bewertung note gewicht höhe breite länge tiefe hoehe laenge ' +
    'prix coût cout montant remise poids hauteur largeur longueur profondeur moyenne ' +
    'precio coste costo importe descuento peso altura anchura ancho largo prezzo sconto larghezza altezza lunghezza ' +
    'preço preco prijs korting hoogte breedte lengte pris vægt vikt cena waga hinta fiyat цена вес average avg',
)
const RATIO_ENDS = ['preis', 'price', 'prijs', 'kosten', 'gewicht', 'rabatt']
const COUNT_WORDS = words(
  'count counts quantity qty stock inventory number num no nr nb reviews votes sold sales views rank position year id ' +
    'anzahl menge bestand lagerbestand lager stück jahr quantité quantite année annee nombre cantidad año existencias quantità anno ' +
    'pieces units days months voorraad aantal antal ilość sztuk age pages',
)
const FLAG_WORDS = words(
  'is has in_stock available availability active enabled visible published featured new sale bestseller vegan bio organic ' +
    'verfügbar verfuegbar aktiv lieferbar neu sichtbar disponible actif nouveau activo nuevo disponibile attivo nuovo ' +
    'flag can allow allows free',
)

/** Returns what the name of a column, or the path of a field, suggests about its values. */
export function kindOfName(column: string): NameKind {
  const name = lastName(column)
  if (isGroupName(name)) return 'code'
  const parts = name.split('_')
  const pairs = parts.slice(1).map((part, i) => `${parts[i]}_${part}`)
  const last = parts.at(-1) ?? ''
  if (pairs.some((pair) => CODE_PAIRS.has(pair)) || parts.some((part) => CODE_WORDS.has(part))) {
    // `sku_count` is a count, not a code.
    if (!COUNT_WORDS.has(last) || CODE_PAIRS.has(pairs.at(-1) ?? '')) return 'code'
  }
  if (FLAG_WORDS.has(parts[0] ?? '') || FLAG_WORDS.has(pairs.at(-1) ?? '')) return 'flag'
  if (parts.some((part) => COUNT_WORDS.has(part))) return 'count'
  if (parts.some((part) => RATIO_WORDS.has(part))) return 'ratio'
  if (RATIO_ENDS.some((end) => parts.some((part) => part.endsWith(end)))) return 'ratio'
  return FLAG_WORDS.has(last) ? 'flag' : 'none'
}

const MONEY_WORDS = words(
  'price prices cost costs msrp rrp uvp amount preis prix precio prezzo preço preco prijs pris cena hinta fiyat цена',
)

/** Whether the name says that the values are prices. */
export function isPriceName(column: string): boolean {
  const parts = lastName(column).split('_')
  return parts.some((part) => MONEY_WORDS.has(part) || part.endsWith('preis'))
}

const CATEGORY_WORDS = words(
  'category categories categorypath breadcrumb breadcrumbs taxonomy department departments tree ' +
    'kategorie kategorien warengruppe warengruppen catégorie catégories categorie categoría categoria categorias ' +
    'categorías rubrique rayon kategori kategorier kategoria kategorie categorieën path',
)

/** Whether the name says that the values are categories. */
export function isCategoryName(column: string): boolean {
  const name = lastName(column)
  return name.split('_').some((part) => CATEGORY_WORDS.has(part)) || name === 'product_type'
}

/** Whether the name says that the values are what variants of one product share. */
export function isGroupName(column: string): boolean {
  return lastName(column) === 'item_group_id'
}

const FILTER_WORDS = words('item_group_id availability condition currency age_group')

/**
 * Whether the name says that the values are for filters, and not words that visitors search for:
 * `new` as a condition would find everything.
 */
export function isFilterName(column: string): boolean {
  return FILTER_WORDS.has(lastName(column)) || /^(shipping|tax|custom_labels)\./.test(column)
}

function lastName(column: string): string {
  return fieldNameOf(column.slice(column.lastIndexOf('.') + 1))
}
