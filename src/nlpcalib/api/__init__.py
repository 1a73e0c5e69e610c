"""What `import nlpcalib` offers: from arrays, in one line, to a result that prints, draws and saves itself."""
