"""Static files as they are collected for many readers."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class Collected(CompressedManifestStaticFilesStorage):
    """Names by content, also where one script imports another: an old part is never run with a new one.

    Without it such an import names the bare file, which browsers keep for a minute, and which runs a second time beside
    the one that the page names.
    """

    support_js_module_import_aggregation = True
