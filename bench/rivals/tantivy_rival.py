"""Tantivy in this process, one thread, one segment: the classes of the benchmark that it can answer.

Reads the specification from the file of the first argument (RivalSpec of rival.ts), documents as
JSON lines from standard input, and prints a RivalAnswer as JSON.
"""
import json
import math
import os
import re
import sys
import tempfile
import time

import tantivy

spec = json.load(open(sys.argv[1]))
TEXTS = spec["texts"]
FACETS = spec["facets"]


def schema():
    builder = tantivy.SchemaBuilder()
    for name in TEXTS:
        builder.add_text_field(name, tokenizer_name="en_stem")
    for name in FACETS:
        builder.add_text_field(name, tokenizer_name="raw", fast=True, index_option="basic")
    builder.add_float_field("price", indexed=True, fast=True)
    return builder.build()


SCHEMA = schema()


def index_documents(folder):
    index = tantivy.Index(SCHEMA, path=folder)
    writer = index.writer(heap_size=1_000_000_000, num_threads=1)
    count = 0
    for line in sys.stdin:
        data = json.loads(line)
        document = tantivy.Document()
        for name in TEXTS:
            document.add_text(name, as_text(data.get(name)))
        for name in FACETS:
            value = data.get(name)
            for one in value if isinstance(value, list) else [value]:
                if one is not None:
                    document.add_text(name, str(one))
        document.add_float("price", float(data.get("price") or 0))
        writer.add_document(document)
        count += 1
    writer.commit()
    writer.wait_merging_threads()
    return index, count


def as_text(value):
    return " ".join(value) if isinstance(value, list) else str(value or "")


def bytes_of(folder):
    return sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))


def words_of(text):
    return re.findall(r"\w+", text.lower())


def either(queries, occur=tantivy.Occur.Should):
    return tantivy.Query.boolean_query([(occur, query) for query in queries])


class Search:
    def __init__(self, index):
        self.index = index
        self.searcher = index.searcher()

    def text_query(self, query):
        words = words_of(query["q"])
        if query["q"] == "*":
            return tantivy.Query.all_query()
        if query.get("typo_max"):
            def word_query(word):
                edits = 2 if len(word) >= 7 else 1 if len(word) >= 4 else 0
                return either([
                    tantivy.Query.fuzzy_term_query(SCHEMA, name, word, distance=edits)
                    for name in TEXTS])
            return either([word_query(word) for word in words])
        if query.get("prefix_mode") == "always":
            last = words.pop()
            ends = [tantivy.Query.regex_query(SCHEMA, name, re.escape(last) + ".*") for name in TEXTS]
            whole = [self.parse(" ".join(words))] if words else []
            return either(whole + ends)
        return self.parse(" ".join(words), query.get("require_all_terms", False))

    def parse(self, text, conjunction=False):
        return self.index.parse_query(text, TEXTS, conjunction_by_default=conjunction)

    def run(self, query):
        matching = self.text_query(query)
        price = query.get("filters", {}).get("price")
        if price is not None:
            bounds = tantivy.Query.range_query(
                SCHEMA, "price", tantivy.FieldType.Float, float(price["gte"]), float(price["lte"]))
            matching = either([matching, bounds], tantivy.Occur.Must)
        sort = {"order_by_field": "price", "order": tantivy.Order.Asc} if "sort_by" in query else {}
        result = self.searcher.search(matching, limit=10, count=True, **sort)
        facets = query.get("facet_by")
        if facets:
            counts = {name: {"terms": {"field": name, "size": 100}} for name in facets}
            self.searcher.aggregate(matching, counts)
        return result.count


def measure(run, queries):
    started = time.perf_counter()
    late = lambda: time.perf_counter() - started > spec["limitMs"] / 1000
    for _ in range(spec["warmupPasses"]):
        for query in queries:
            run(query)
        if late():
            break
    best, every = [math.inf] * len(queries), []
    for _ in range(spec["passes"]):
        for at, query in enumerate(queries):
            before = time.perf_counter()
            run(query)
            took = (time.perf_counter() - before) * 1000
            every.append(took)
            best[at] = min(best[at], took)
        if late():
            break
    return {"best": best, "all": every}


with tempfile.TemporaryDirectory() as folder:
    index, count = index_documents(folder)
    seconds = time.process_time()
    index.reload()
    search = Search(index)
    print(json.dumps({
        "version": tantivy.__version__ if hasattr(tantivy, "__version__") else "",
        "docsPerSecond": count / seconds,
        "bytesPerDocument": bytes_of(folder) / count,
        "classes": {each["name"]: measure(search.run, each["queries"]) for each in spec["classes"]},
    }))
