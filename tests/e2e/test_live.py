"""Pages that learn what happens elsewhere, at a real server: by sockets, over bad lines, and without sockets."""

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from tests.e2e.conftest import Console, People
from tests.e2e.test_games import by_keys, my_turn, new_game, state

NOT_LIVE = "Not live: this page asks every few seconds."


def version(page: Page) -> str:
    return page.locator("#board").get_attribute("data-version") or ""


def played(page: Page) -> str:
    """Play a card, and let the bots play until it is the reader's turn again; return the version then."""
    by_keys(page)
    assert my_turn(page)
    return version(page)


def right(page: Page, number: str, seconds: float = 30) -> None:
    page.locator(f"#board[data-version='{number}'][data-state='my-turn']").wait_for(timeout=seconds * 1000)


def deaf(page: Page) -> None:
    """Let the page find no news by asking."""
    page.route("**/board/*", lambda route: route.fulfill(status=204))


def tab(context: BrowserContext, url: str) -> Page:
    page = context.new_page()
    page.goto(url)
    return page


def test_boards_come_by_themselves_and_take_nothing_from_the_reader(people: People) -> None:
    """Two tabs: what is played in one is pushed to the other, and the list of games follows."""
    context = people()
    first = new_game(context)
    assert my_turn(first)
    second, home = context.new_page(), tab(context, "/")
    deaf(second)
    home.route("**/list/*", lambda route: route.fulfill(status=204))
    second.goto(first.url)
    second.get_by_text("How my cards lie").focus()
    second.evaluate("getSelection().selectAllChildren(document.getElementById('log-title')); scrollTo(0, 40)")
    home.locator("#list a").first.focus()
    expect(home).to_have_title("(1) My games")
    right(second, played(first))
    kept = "[document.activeElement.textContent.trim(), String(getSelection()), scrollY]"
    assert second.evaluate(kept) == ["How my cards lie", "What happened", 40]
    expect(second.locator("#live")).to_have_text("")
    new_game(context)
    expect(home.locator("#list li")).to_have_count(2)
    expect(home.locator("#list a:focus")).to_have_count(1)


def test_a_page_is_right_after_each_way_of_losing_the_line(people: People) -> None:
    context = people()
    first = new_game(context, seats=4)
    assert my_turn(first)
    # A card is played after the page was made, and before its socket is open.
    held: list[WebSocketRoute] = []
    late = context.new_page()
    deaf(late)
    late.route_web_socket("**/ws/**", lambda line: held.append(line))  # noqa: PLW0108 - it takes no built-in
    late.goto(first.url)
    late.wait_for_timeout(100)
    now = played(first)
    assert version(late) != now
    held[-1].connect_to_server()
    right(late, now)
    late.close()
    # Back to a page that the browser has kept: it had closed its socket.
    kept = context.new_page()
    kept.goto(first.url)
    kept.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))")
    now = played(first)
    assert version(kept) != now
    kept.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    right(kept, now)
    kept.close()


def test_sixty_seconds_without_a_line(people: People, console: Console) -> None:
    """The server takes the socket for open still; nothing comes through."""
    context = people()
    first = new_game(context)
    assert my_turn(first)
    cut: list[bool] = []
    phone = context.new_page()
    phone.clock.install()

    def through(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(lambda said: None if cut else server.send(said))
        server.on_message(lambda said: None if cut else line.send(said))

    phone.route_web_socket("**/ws/**", through)
    phone.goto(first.url)
    phone.wait_for_timeout(300)
    cut.append(True)
    phone.route("**/board/*", lambda route: route.abort("internetdisconnected"))
    now = played(first)
    for _ in range(12):
        phone.clock.run_for(5000)
    expect(phone.locator("#live")).to_contain_text("There is no connection")
    assert version(phone) != now
    cut.clear()
    phone.unroute("**/board/*")
    phone.evaluate("dispatchEvent(new Event('online'))")
    right(phone, now)
    console.expected("ERR_INTERNET_DISCONNECTED")


def test_a_phone_without_a_network_says_so_and_is_right_once_there_is_one(
    people: People, browser: Browser, console: Console
) -> None:
    context = people()
    first = new_game(context)
    assert my_turn(first)
    away = browser.new_context(storage_state=context.storage_state(), base_url=first.url)
    phone = away.new_page()
    console.watch(phone)
    phone.goto(first.url)
    expect(phone.locator("#board")).to_have_attribute("data-state", "my-turn")
    phone.wait_for_timeout(300)
    away.set_offline(True)
    # A line that is silent is taken for dead after forty seconds only.
    expect(phone.locator("#live")).to_contain_text("There is no connection", timeout=20_000)
    now = played(first)
    assert version(phone) != now
    away.set_offline(False)
    right(phone, now)
    expect(phone.locator("#live")).to_have_text("")
    away.close()
    console.expected("ERR_INTERNET_DISCONNECTED")


def test_without_sockets_and_after_signing_out_elsewhere(people: People, console: Console) -> None:
    context = people()
    first = new_game(context)
    assert my_turn(first)
    poor = context.new_page()
    poor.route_web_socket("**/ws/**", lambda line: line.close(code=4000))
    poor.goto(first.url)
    expect(poor.get_by_role("status")).to_have_text(NOT_LIVE)
    right(poor, played(first))
    poor.close()
    assert state(first) == "my-turn"
    elsewhere = tab(context, "/")
    elsewhere.get_by_role("button", name="Sign out").click()
    first.wait_for_url("**/accounts/signin/?next=%2Fgames%2F*")
    console.expected("401")
    # As it leaves it may still say what was seen, without the cookies that signing out took away.
    console.errors = [each for each in console.errors if "(Forbidden)" not in each]
