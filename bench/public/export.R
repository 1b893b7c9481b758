# Writes the public price tables to bench/public/tables/*.csv: `Rscript bench/public/export.R`.
# Debian packages: r-cran-ggplot2 r-cran-aer r-cran-caret r-cran-modeldata r-cran-spdata
# r-cran-randomforest r-cran-mass r-cran-cardata (see tables.json).
root <- sub("^--file=", "", grep("^--file=", commandArgs(FALSE), value = TRUE))
folder <- file.path(dirname(root), "tables")
dir.create(folder, showWarnings = FALSE)
table_of <- function(package, name, object = name) {
  box <- new.env()
  data(list = name, package = package, envir = box)
  found <- get(object, envir = box)
  if (inherits(found, "Spatial")) found <- as.data.frame(attr(found, "data"))
  as.data.frame(found)
}
keep <- function(file, table) {
  # a list column or a matrix is no answer of a form
  table <- table[, vapply(table, is.atomic, TRUE), drop = FALSE]
  write.csv(table, file.path(folder, file), row.names = FALSE, na = "")
  cat(file, nrow(table), "x", ncol(table), "\n")
}
keep("diamonds.csv", table_of("ggplot2", "diamonds"))
keep("windsor.csv", table_of("AER", "HousePrices"))
cars <- table_of("caret", "cars")
one_of <- function(names) names[max.col(as.matrix(cars[names]), ties.method = "first")]
makes <- c("Buick", "Cadillac", "Chevy", "Pontiac", "Saab", "Saturn")
bodies <- c("convertible", "coupe", "hatchback", "sedan", "wagon")
keep("gmcars.csv", cbind(cars[setdiff(names(cars), c(makes, bodies))], make = one_of(makes), body = one_of(bodies)))
keep("sacramento.csv", table_of("modeldata", "Sacramento"))
keep("ames.csv", table_of("modeldata", "ames"))
keep("toledo.csv", table_of("spData", "house"))
keep("boston.csv", table_of("spData", "boston", "boston.c"))
keep("baltimore.csv", table_of("spData", "baltimore"))
# tables without a price in some rows
priced <- function(table, price) table[!is.na(table[[price]]) & table[[price]] > 0, ]
keep("imports.csv", priced(table_of("randomForest", "imports85"), "price"))
keep("cars93.csv", table_of("MASS", "Cars93"))
keep("journals.csv", table_of("AER", "Journals"))
keep("salaries.csv", table_of("carData", "Salaries"))
keep("psid.csv", table_of("AER", "PSID1982"))
keep("slid.csv", priced(table_of("carData", "SLID"), "wages"))
keep("cps.csv", table_of("AER", "CPS1988"))
