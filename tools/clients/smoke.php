<?php
// Fills a store and searches it with the generated PHP client; prints what docs/other-languages.md shows.
declare(strict_types=1);

// Composer has autoload.php for both; here Guzzle is the package of Debian.
require getenv('GUZZLE_AUTOLOAD') ?: 'vendor/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = getenv('AISLE_CLIENT') . '/lib/' . str_replace('\\', '/', substr($class, strlen('Aisle\\'))) . '.php';
    if (str_starts_with($class, 'Aisle\\') && is_file($file)) require $file;
});

$store = getenv('AISLE_STORE');
$configuration = (new Aisle\Configuration())
    ->setHost(getenv('AISLE_URL'))
    ->setApiKey('x-storeid', $store)
    ->setApiKey('x-store-write-secret', getenv('AISLE_WRITE_SECRET'))
    ->setApiKey('x-storesecret', getenv('AISLE_READ_SECRET'));
$http = new GuzzleHttp\Client();

(new Aisle\Api\SchemaApi($http, $configuration))->changeSchema($store, new Aisle\Model\ChangeSchemaRequest([
    'fields' => [
        new Aisle\Model\SchemaFieldRequest(['name' => 'title', 'type' => 'string', 'searchable' => true]),
        new Aisle\Model\SchemaFieldRequest(['name' => 'price', 'type' => 'float', 'facet' => true, 'sort' => true]),
    ],
]));
$documents = new Aisle\Api\DocumentsApi($http, $configuration);
foreach ([['Desk lamp', 29.5], ['Floor lamp', 89.0], ['Tent', 199.0]] as $number => [$title, $price]) {
    $documents->indexDocument($store, new Aisle\Model\IndexDocumentRequest([
        'id' => (string) $number,
        'data' => ['title' => $title, 'price' => $price],
    ]));
}
$search = new Aisle\Api\SearchApi($http, $configuration);
$found = $search->search(new Aisle\Model\SearchParameters([
    'q' => 'lamps', 'sort_by' => 'price:asc', 'filter_by' => 'price:<50',
]));
$document = (array) $found->getHits()[0]->getDocument();
echo $found->getFound(), ' ', $document['title'], ' ', $document['price'], "\n";
try {
    $search->search(new Aisle\Model\SearchParameters(['q' => 'lamp', 'filter_by' => 'prise:<50']));
} catch (Aisle\ApiException $error) {
    echo $error->getCode(), ' ', str_contains((string) $error->getResponseBody(), 'unknown_field') ? 'True' : 'False', "\n";
}
