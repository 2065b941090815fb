"""What goes to open pages by itself: the ear of a process, and what its sockets are sent."""
