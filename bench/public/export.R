# Writes the public price tables to bench/public/tables/*.csv: `Rscript bench/public/export.R`.
# Debian packages: r-cran-ggplot2 r-cran-aer r-cran-caret r-cran-modeldata r-cran-spdata
# r-cran-randomforest r-cran-mass r-cran-cardata r-cran-rpart r-cran-foreign r-cran-laeken r-cran-bayesm (see tables.json);
# three tables are of packages of Debian that are not R's and are only unpacked.
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
# obtained on 26 November 2026
keep("attrition.csv", table_of("modeldata", "attrition"))
keep("stackoverflow.csv", table_of("modeldata", "stackoverflow"))
keep("car90.csv", priced(table_of("rpart", "car90"), "Price"))
keep("cusummary.csv", table_of("rpart", "cu.summary"))
houses <- table_of("ggplot2", "txhousing")
keep("txhousing.csv", priced(houses, "median"))
keep("cheese.csv", table_of("bayesm", "cheese"))
keep("ses.csv", priced(table_of("laeken", "ses"), "earningsHour"))
flats <- new.env()
data(list = "properties", package = "spData", envir = flats)
places <- t(vapply(flats$properties$geometry, function(point) as.numeric(unclass(point))[1:2], c(0, 0)))
flats <- as.data.frame(unclass(flats$properties)[c("size", "age", "dist_metro", "price")])
keep("athens.csv", cbind(flats, x = places[, 1], y = places[, 2]))

# tables of packages that are not R's: unpacked, not installed, because of what they depend on
unpacked <- function(package, path) {
  into <- file.path(tempdir(), package)
  if (!dir.exists(into)) {
    dir.create(into)
    get <- paste("cd", shQuote(into), "&& apt-get download -q", package, "&& dpkg-deb -x *.deb .")
    if (system(get, ignore.stdout = TRUE, ignore.stderr = TRUE) != 0) stop("cannot get ", package)
  }
  file.path(into, path)
}
gretl <- function(path) {
  lines <- readLines(unpacked("gretl-data", file.path("usr/share/gretl/data", path)))
  names <- sub('^<variable name="([^"]+)".*', "\\1", grep("^<variable name=", lines, value = TRUE))
  read.table(text = gsub("</?obs[^>]*>", "", grep("^<obs>", lines, value = TRUE)), col.names = names)
}
keep("orange.csv", gretl("ramanathan/data7-24.gdt"))
young <- gretl("misc/griliches.gdt")
keep("griliches.csv", cbind(young, wage = round(exp(young$lw), 4)))
berlin <- "usr/lib/python3/dist-packages/libpysal/examples/berlin/prenzlauer.zip"
dbf <- unzip(unpacked("python3-libpysal", berlin), "prenzlauer.dbf", exdir = tempdir())
keep("airbnb.csv", priced(foreign::read.dbf(dbf), "price"))
# Endless Sky, a game: each item is `outfit NAME` and indented lines `ATTRIBUTE VALUE`; what it lacks is not stated
game <- unpacked("endless-sky-data", "usr/share/games/endless-sky/data")
lines <- unlist(lapply(sort(list.files(game, "[.]txt$", full.names = TRUE)), readLines, warn = FALSE))
lines <- lines[grepl("\\S", lines)]
item <- cumsum(!grepl("^\t", lines)) * grepl("^\t", lines)
item[!item %in% cumsum(!grepl("^\t", lines))[grepl("^outfit ", lines)]] <- 0
line <- '^\t+"?([a-z][a-z -]*[a-z])"? "?([A-Za-z0-9.-][A-Za-z0-9. -]*)"?$'
known <- item > 0 & grepl(line, lines)
cells <- data.frame(item = item[known], key = sub(line, "\\1", lines[known]), value = sub(line, "\\2", lines[known]))
columns <- c("cost", "category", "mass", "outfit space", "weapon capacity", "engine capacity", "gun ports",
  "turret mounts", "shield generation", "shield energy", "hull repair rate", "shield damage", "hull damage", "heat damage",
  "ion damage", "reload", "velocity", "lifetime", "firing energy", "firing heat", "energy generation", "energy capacity",
  "energy consumption", "heat generation", "solar collection", "cooling", "thrust", "thrusting energy", "turn",
  "turning energy", "ramscoop", "scan power", "cargo space", "fuel capacity", "bunks", "required crew", "ammo")
cells <- cells[cells$key %in% columns & !duplicated(cells[c("item", "key")]), ]
wide <- reshape(cells, idvar = "item", timevar = "key", direction = "wide")
names(wide) <- make.names(sub("^value[.]", "", names(wide)))
keep("outfits.csv", priced(transform(wide, cost = as.numeric(cost)), "cost"))
