"""Files as earlier versions wrote them, kept for ever: a folder for each version, and what makes one."""
