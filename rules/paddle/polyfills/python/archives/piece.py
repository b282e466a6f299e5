import zipfile


class PyTorchFileReader:
    """The records of an archive that torch.save wrote: of a path, or of a file that can be read."""

    def __init__(self, name_or_buffer):
        try:
            self._archive = zipfile.ZipFile(name_or_buffer)
        except zipfile.BadZipFile as error:
            raise RuntimeError(f"PytorchStreamReader failed reading zip archive: {error}") from None
        self._folder = self._archive.namelist()[0].partition("/")[0]

    def get_all_records(self):
        return [name.partition("/")[2] for name in self._archive.namelist()]

    def has_record(self, name):
        return name in self.get_all_records()

    def get_record(self, name):
        if not self.has_record(name):
            raise RuntimeError(f"PytorchStreamReader failed locating file {name}: file not found")
        return self._archive.read(f"{self._folder}/{name}")
