"""Checks of the view of runs: curves, saved files, rates of tiles, configurations, and a run that is training."""

import json
import os
import subprocess

from common import ROOT


def reports(page, name):
    with open(os.path.join(page.scratch, "Models", name, "metrics.jsonl"), encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def saved(page, button):
    """The text of the file that a button saves."""
    return page.browser.value(
        "new Promise(resolve => { const create = URL.createObjectURL; URL.createObjectURL = file => {"
        "URL.createObjectURL = create; file.text().then(resolve); return create.call(URL, file); };"
        f"document.getElementById('{button}').click(); }})")


def table(page, name):
    return page.browser.value(
        f"[...document.querySelectorAll('#{name} tr')].map(row => [...row.cells].map(cell => cell.textContent))")


def logarithmic(page):
    """A logarithmic axis gives decades equal room, seeds are joined, and the filter hides rows."""
    points = page.browser.value("document.querySelector('#chart polyline').getAttribute('points')")
    page.browser.click("#logarithmic")
    page.browser.wait_for(
        f"document.querySelector('#chart polyline').getAttribute('points') !== {json.dumps(points)}", "the curve moves")
    page.browser.value("document.getElementById('chart').focus()")
    page.browser.key("Home")
    first = min(report["episodes"] for name in ("small", "other") for report in reports(page, name))
    page.require(f"At {first} episodes" in page.text("legend"), f"the axis begins at {first}: {page.text('legend')}")
    page.browser.key("Escape")
    page.picture("runs-logarithmic")
    page.browser.click("#logarithmic")
    page.browser.wait_for(
        f"document.querySelector('#chart polyline').getAttribute('points') === {json.dumps(points)}", "the curve is back")
    joined = page.browser.value(
        "import('/page/curves.js').then(({ joined }) => joined([['a-1', [1, 2, 3], 10], ['a-2', [2, 3, 4], 30], ['b', [1], 5]]"
        ".map(([name, places, y]) => ({ name, evaluations: [], points: places.map(x => ({ x, y, weight: 1 })) })))"
        ".map(({ name, points }) => [name, points.map(({ x, y, low, high }) => [x, y, low ?? 0, high ?? 0])]))")
    page.require(joined == [["a (2 runs)", [[2, 20, 10, 30], [3, 20, 10, 30]]], ["b", [[1, 5, 0, 0]]]], f"joined: {joined}")
    page.set_value("filter", "SMA", "input")
    shown = "[...document.querySelectorAll('#runRows tr')].filter(row => row.checkVisibility()).length"
    page.require(page.browser.value(shown) == 1, "the filter leaves one row")
    page.set_value("filter", "", "input")
    page.require(page.browser.value(shown) == 2, "without it there are two")


def renamed(page):
    """A run has another name on the page until that is cleared, also after a reload; its directory keeps its own."""
    def rename(text, key):
        page.browser.value(
            "[...document.querySelectorAll('#runRows tr')].find(row => row.cells[0].querySelector('.runName').title.endsWith"
            "('small')).querySelector('.rename').click()")
        page.browser.value(f"document.activeElement.value = {json.dumps(text)}")
        page.browser.key(key)

    names = "[...document.querySelectorAll('#runRows .runName')].map(name => name.textContent).sort().join()"
    before = page.browser.value(names)
    rename("lost", "Escape")
    page.require(page.browser.value(names) == before, "Escape keeps the name")
    rename("my best", "Enter")
    page.require("my best" in page.browser.value(names), f"the row has the name: {page.browser.value(names)}")
    page.browser.wait_for("document.getElementById('legend').textContent.includes('my best')", "so does the legend")
    page.require("my best," in saved(page, "saveCSV"), "and the saved values")
    page.picture("runs-renamed")
    page.browser.reload()
    page.open_view("Runs")
    page.browser.wait_for(f"{names}.includes('my best')", "the name outlasts the page")
    rename("", "Enter")
    page.require(page.browser.value(names) == before, "without a name, it is that of the directory")


def runs(page):
    """Curves are read by pointer and keys, smoothed, saved, and compared with the configurations of their runs."""
    page.browser.value("localStorage.setItem('learn2048.axis', 'nonsense')")
    page.browser.reload()
    page.open_view("Runs")
    page.browser.wait_for("document.querySelectorAll('#chart polyline').length === 2", "there are two curves")
    # What is ticked is kept.
    chosen = "[...document.querySelectorAll('#runRows input')].map(box => box.checked).join()"
    page.browser.click("#runRows input")
    page.require(page.browser.value(chosen) == "false,true", "a run is hidden")
    page.browser.reload()
    page.browser.wait_for(f"{chosen} === 'false,true'", "it remains hidden")
    page.browser.click("#runRows input")
    page.browser.wait_for(
        "document.querySelectorAll('#chart polyline:not([points=\"\"])').length === 2", "there are two curves")
    names = ["other", "small"]
    page.require(
        sorted(row[0].strip().split(" ")[0] for row in table(page, "runRows")) == names, "both runs are listed")
    first_tab = page.browser.value("document.getElementById('play').checkVisibility()")
    page.require(not first_tab, "the game is in another view")
    page.set_value("axis", "episodes", "input")
    titles = "[...document.querySelectorAll('#chart .axisTitle')].map(title => title.textContent)"
    page.browser.wait_for(f"{titles}.join() === 'episodes,mean score in points'", "the axes have titles")
    # The last place of the keyboard, and the pointer at the right end.
    expected = {name: f"{reports(page, name)[-1]['meanScore']:,.0f}" for name in names}
    reading = "Object.fromEntries([...document.querySelectorAll('.legendRun')].map(run => "\
        "[run.querySelector('.legendName').textContent, run.querySelector('.legendValue').textContent]))"
    page.browser.value("document.getElementById('chart').focus()")
    page.browser.key("End")
    found = page.browser.value(reading)
    page.require(
        all(found[name].split(", evaluated")[0] == expected[name] for name in names), f"{found} are {expected}")
    spoken = page.browser.value("document.getElementById('chart').ariaValueText")
    page.require(all(f"{name} {expected[name]}" in spoken for name in names), f"'{spoken}' has the values")
    page.browser.key("Home")
    page.require(page.browser.value("document.getElementById('chart').ariaValueNow") == "0", "home goes to the start")
    page.browser.key("Escape")
    page.require(set(page.browser.value(reading).values()) == {""}, "escape hides the values")
    page.browser.click("#chart")
    place = page.browser.value("document.querySelector('.legendPlace').textContent")
    page.require(place.startswith("At ") and place.endswith(" episodes:"), f"the pointer reads values: {place}")
    page.picture("runs")
    logarithmic(page)
    # Smoothing keeps the raw curves, faintly, and moves the lines.
    before = page.browser.value("document.querySelector('#chart polyline').getAttribute('points')")
    page.set_value("smoothing", 20, "input")
    page.browser.wait_for("document.querySelectorAll('#chart .raw').length === 2", "raw curves stay visible")
    page.require(
        page.browser.value("document.querySelector('#chart .raw').getAttribute('points')") == before,
        "they are the same")
    page.require(
        page.browser.value("document.querySelector('#chart polyline:not(.raw)').getAttribute('points')") != before,
        "smoothing changes the lines")
    page.require(page.browser.value(
        "import('/page/curves.js').then(({ smoothed }) => smoothed([0, 1, 2, 3, 4, 5].map(x => "
        "({ x, y: 7 - 2 * x, weight: 3 })), 3).every(({ x, y }) => Math.abs(y - (7 - 2 * x)) < 1e-9))"),
        "smoothing keeps a straight line")
    files(page, names)
    renamed(page)
    tile_rates(page)
    configurations(page)


def files(page, names):
    """The saved files have the curves and every report."""
    picture = saved(page, "saveSVG")
    page.require(page.browser.value(
        f"(() => {{ const picture = new DOMParser().parseFromString({json.dumps(picture)}, 'image/svg+xml');"
        "return !picture.querySelector('parsererror') "
        "&& picture.querySelectorAll('polyline[stroke^=rgb]').length; })()") == 4,
        "the picture has the curves")
    page.require(all(f">{name}</text>" in picture for name in names), "the picture names the runs")
    lines = [line.split(",") for line in saved(page, "saveCSV").splitlines()]
    page.require(lines[0][:4] == ["run", "episodes", "meanScore", "smoothed"], f"the columns are {lines[0]}")
    for name in names:
        found = [(int(line[1]), float(line[2])) for line in lines if line[0] == name and line[2]]
        expected = [
            (report["episodes"], report["meanScore"]) for report in reports(page, name) if report.get("games", 1)]
        page.require(found == expected, f"the values of {name} are those of the reports")
        evaluations = [float(line[4]) for line in lines if line[0] == name and line[4]]
        expected = [report["evaluation"]["meanScore"] for report in reports(page, name) if "evaluation" in report]
        page.require(evaluations == expected, f"the evaluations of {name} are those of the reports")


def tile_rates(page):
    """The share of games with a tile is shown, also as a table."""
    tile = max(
        (tile for name in ("small", "other") for report in reports(page, name) for tile in report["reached"]), key=int)
    page.set_value("smoothing", 0, "input")
    page.set_value("measure", tile, "input")
    page.browser.wait_for(
        f"document.querySelectorAll('#chart .axisTitle')[1].textContent.endsWith('reached {tile}')", "rates are shown")
    page.browser.click("#curveValues summary")
    page.browser.wait_for("document.querySelectorAll('#valueTable tbody tr').length > 3", "there is a table of values")
    column = table(page, "valueTable")[0].index("small")
    last = reports(page, "small")[-1]
    share = last["reached"].get(tile, 0) * 100
    text = table(page, "valueTable")[-1][column]
    page.require(text == f"{share:.1f}".removesuffix(".0") + " %", f"the last rate {text} is {share}")
    page.set_value("measure", "score", "input")


def configurations(page):
    """Configurations are compared: the keys that differ, or all."""
    page.browser.click("#configurations summary")
    page.browser.wait_for("document.querySelectorAll('#configurationTable tbody tr').length > 0", "keys differ")
    rows = table(page, "configurationTable")
    page.require(sorted(rows[0][1:]) == ["other", "small"], "there is a column for each run")
    column = rows[0].index("other")
    values = {row[0]: (row[column], row[3 - column]) for row in rows[1:]}
    page.require(set(values) == {"learning.learningRate", "network.patterns", "seed"}, f"{set(values)} differ")
    page.require(values["network.patterns"] == ('["012","345"]', '["012","456"]'), "the table has the values")
    page.browser.click("#allKeys")
    with open(os.path.join(page.scratch, "Models", "small", "config.json"), encoding="utf-8") as file:
        groups = json.load(file)
    count = sum(len(value) if isinstance(value, dict) else 1 for value in groups.values())
    page.browser.wait_for(
        f"document.querySelectorAll('#configurationTable tbody tr').length === {count}", "all keys are shown")
    page.browser.click("#allKeys")


def live_run(page):
    """The page shows the speed and the time left of a run that is training, without being loaded again."""
    training = subprocess.Popen(
        [page.program, "train", "--config", f"{ROOT}/Configs/quick.json", "--run", "live", "--minutes", "5",
         "--threads", "1", "--set", 'network.patterns=["012"]', "--set", "report.everyEpisodes=200"],
        cwd=page.scratch, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        row = "[...document.querySelectorAll('#runRows tr')].find(row => row.textContent.includes('live (training)'))"
        page.browser.wait_for(f"/^[1-5] min$/.test({row}?.cells[4].textContent)", "the time left is shown", 60)
        speed = page.browser.value(f"{row}.cells[3].textContent")
        page.require(speed.endswith(" M") and float(speed.split()[0]) >= 0, f"the speed is {speed}")
    finally:
        training.terminate()
        training.wait()
