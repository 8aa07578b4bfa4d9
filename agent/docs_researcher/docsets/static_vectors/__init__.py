"""Search by meaning without a model: a vector for each word, added up; part of every docset that we build."""
