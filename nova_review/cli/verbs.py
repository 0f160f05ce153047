"""How a verb joins the command line.

One file of `cli/` is one group of verbs (`dataset check`, `dataset ...`) or one verb (`doctor`). It holds
`app`, made by `verb_group` or `single_verb`, and one line in `app.VERBS` names it. Files are imported when
their verb is used, so that one verb does not pay for the imports of another.

    app = verb_group("Look at data sets.")

    @app.command("check")
    def check(
        context: typer.Context,
        path: Annotated[Path, typer.Argument(help="Folder or table file.")],
        as_json: JsonFlag = False,
    ) -> None:
        \"\"\"List every oddity of a data set.\"\"\"
        out = Output(as_json=as_json)
        with out.progress("Reading the data set") as progress:
            data_set = services_of(context).read_data_set(path, progress)
        out.result(as_dict(data_set), as_lines(data_set))

A verb returns nothing when it is done, raises UserError with one sentence when it cannot be done, and
raises `typer.Exit(1)` where it printed a result that says so.
"""

import typer


def verb_group(help_text: str) -> typer.Typer:
    """A group: its verbs are added with `@app.command("name")`, also where there is only one."""
    app = single_verb()

    @app.callback(help=help_text)
    def group() -> None:
        pass

    return app


def single_verb() -> typer.Typer:
    """A file with one verb, which takes its name from `app.VERBS`."""
    # Plain help texts: rich would cost each start a quarter of a second.
    return typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)
