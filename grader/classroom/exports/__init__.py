"""What other systems read: Gradescope, Canvas, Moodle, GitHub."""
