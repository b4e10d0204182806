"""Fills a store and searches it with the generated Python client; prints what docs/other-languages.md shows."""

import os

import aisle_api
from aisle_api.api import DocumentsApi, SchemaApi, SearchApi

configuration = aisle_api.Configuration(host=os.environ["AISLE_URL"])
configuration.api_key["storeId"] = os.environ["AISLE_STORE"]
configuration.api_key["writeSecret"] = os.environ["AISLE_WRITE_SECRET"]
configuration.api_key["readSecret"] = os.environ["AISLE_READ_SECRET"]
client = aisle_api.ApiClient(configuration)
store = os.environ["AISLE_STORE"]

SchemaApi(client).change_schema(
    store,
    aisle_api.ChangeSchemaRequest.from_dict(
        {
            "fields": [
                {"name": "title", "type": "string", "searchable": True},
                {"name": "price", "type": "float", "facet": True, "sort": True},
            ]
        }
    ),
)
for number, (title, price) in enumerate([("Desk lamp", 29.5), ("Floor lamp", 89.0), ("Tent", 199.0)]):
    DocumentsApi(client).index_document(
        store,
        aisle_api.IndexDocumentRequest.from_dict({"id": str(number), "data": {"title": title, "price": price}}),
    )
search = SearchApi(client)
found = search.search(aisle_api.SearchParameters(
        q="lamps",
        sort_by=aisle_api.SearchParametersSortBy("price:asc"),
        filter_by="price:<50",
    ))
print(found.found, found.hits[0].document["title"], found.hits[0].document["price"])
try:
    search.search(aisle_api.SearchParameters(q="lamp", filter_by="prise:<50"))
except aisle_api.ApiException as error:
    print(error.status, "unknown_field" in error.body)
