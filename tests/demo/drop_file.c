/* Drops files onto a window as a file manager would, by the XDND protocol, version 5:
 *
 *   drop_file WINDOW FILE...
 *
 * FILE is an absolute path. Ends with 0 when the window says that it is done with them. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 5, LIST_SIZE = 65536 };

static Display *display;
static Window target, source;
static char list[LIST_SIZE]; /* of URIs */

static Atom atom(const char *name)
{
    return XInternAtom(display, name, False);
}

static void add(char character)
{
    size_t length = strlen(list);
    if (length + 1 < sizeof list)
        list[length] = character;
}

static void add_text(const char *text)
{
    for (; *text; text++)
        add(*text);
}

static void add_file(const char *path)
{
    char escape[4];
    add_text("file://");
    for (; *path; path++) {
        if (isalnum((unsigned char)*path) || strchr("/.-_", *path)) {
            add(*path);
            continue;
        }
        snprintf(escape, sizeof escape, "%%%02X", (unsigned char)*path);
        add_text(escape);
    }
    add_text("\r\n");
}

static void send(const char *type, long b, long c, long d, long e)
{
    XEvent event = {0};
    event.xclient.type = ClientMessage;
    event.xclient.window = target;
    event.xclient.message_type = atom(type);
    event.xclient.format = 32;
    event.xclient.data.l[0] = (long)source;
    event.xclient.data.l[1] = b;
    event.xclient.data.l[2] = c;
    event.xclient.data.l[3] = d;
    event.xclient.data.l[4] = e;
    XSendEvent(display, target, False, NoEventMask, &event);
    XFlush(display);
}

/* The window asks for the list. */
static void answer(const XSelectionRequestEvent *request)
{
    XEvent event = {0};
    XChangeProperty(display, request->requestor, request->property, request->target, 8,
                    PropModeReplace, (const unsigned char *)list, (int)strlen(list));
    event.xselection.type = SelectionNotify;
    event.xselection.requestor = request->requestor;
    event.xselection.selection = request->selection;
    event.xselection.target = request->target;
    event.xselection.property = request->property;
    event.xselection.time = request->time;
    XSendEvent(display, request->requestor, False, NoEventMask, &event);
    XFlush(display);
}

/* Until a message of that type comes; its second number. */
static long wait_for(const char *type)
{
    Atom wanted = atom(type);
    for (;;) {
        XEvent event;
        XNextEvent(display, &event);
        if (event.type == SelectionRequest)
            answer(&event.xselectionrequest);
        else if (event.type == ClientMessage && event.xclient.message_type == wanted)
            return event.xclient.data.l[1];
    }
}

static int drop(void)
{
    Window root = DefaultRootWindow(display), child;
    int x, y;
    XTranslateCoordinates(display, target, root, 5, 5, &x, &y, &child);
    XSetSelectionOwner(display, atom("XdndSelection"), source, CurrentTime);
    send("XdndEnter", (long)VERSION << 24, (long)atom("text/uri-list"), None, None);
    send("XdndPosition", 0, (long)x << 16 | y, CurrentTime, (long)atom("XdndActionCopy"));
    if (!(wait_for("XdndStatus") & 1)) {
        fprintf(stderr, "drop_file: the window takes no files\n");
        return 1;
    }
    send("XdndDrop", 0, CurrentTime, 0, 0);
    wait_for("XdndFinished");
    return 0;
}

int main(int argc, char **argv)
{
    display = argc < 3 ? NULL : XOpenDisplay(NULL);
    if (!display) {
        fprintf(stderr, "drop_file: needs a display, a window's number and files\n");
        return 2;
    }
    target = strtoul(argv[1], NULL, 0);
    for (int i = 2; i < argc; i++)
        add_file(argv[i]);
    source = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    int code = drop();
    XCloseDisplay(display);
    return code;
}
