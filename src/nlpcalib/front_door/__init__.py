"""What `import nlpcalib` offers: one line for one number, from arrays to a result that prints, draws and saves itself."""
